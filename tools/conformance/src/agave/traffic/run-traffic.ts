import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress } from "@lamplight/codecs";
import { Random } from "@lamplight/devchain";
import {
  payWallet,
  RpcBank,
  type RunningValidator,
  seededSigner,
  startValidator,
  Tally,
} from "@lamplight/real-chain";
import type { AnswerPair } from "../decided.ts";
import { httpEndpoint } from "../endpoints.ts";
import { compareAtRest, requestsAbout } from "./compare-at-rest.ts";
import { type Follower, RESCAN_SECONDS, startFollowing, startServing } from "./followers.ts";
import { LamplightProcess } from "./lamplight-process.ts";
import { measureDelay } from "./measure-visibility.ts";
import { emitTraffic, type Traffic } from "./emit-traffic.ts";

export interface TrafficRun {
  readonly validator: string;
  readonly minutes: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface TrafficReport {
  readonly transactions: number;
  readonly refused: number;
  readonly accounts: number;
  readonly asked: number;
  readonly delays: ReadonlyMap<string, readonly number[]>;
  readonly wrong: readonly (AnswerPair & { readonly follower: string })[];
  /** What did not happen as it should, in words. */
  readonly problems: readonly string[];
}

const emitters = 4;
const measureEveryMs = 3000;
const paidLamports = 5_000_000n;
/** Closed accounts are found by a rescan; two of them pass in any case. */
const restMs = RESCAN_SECONDS * 3000;

/**
 * Real traffic on a real validator, followed in both ways; either side crashes once on the way. Then every account is
 * compared, and the followers must refuse the chain that a reset leaves.
 */
export const runTraffic = async ({ validator, minutes, seed, say }: TrafficRun): Promise<TrafficReport> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-traffic-"));
  const ledger = join(folder, "ledger");
  let node = await startValidator({ path: validator, ledger });
  const followers: Follower[] = [];
  const stopping = new AbortController();
  const traffic: Traffic = { tally: new Tally(), addresses: new Set(), broken: 0 };
  const problems: string[] = [];
  const delays = new Map<string, number[]>();
  try {
    followers.push(await startServing(node.url, folder), await startFollowing(node.url, folder));
    say("both followers answer");
    const theirs = httpEndpoint("validator", node.url);
    const vote = await findVoteAccount(node.url);
    const options = { url: node.url, seed, emitters, vote, signal: stopping.signal };
    const telling = emitTraffic(options, traffic);
    const measuring = measure(node.url, seed, followers, delays, stopping.signal);
    const third = (minutes * 60_000) / 3;
    await sleep(third);
    for (const follower of followers) await follower.crash();
    say("both followers were killed and started again");
    await sleep(third);
    await node.kill();
    say("the validator was killed");
    node = await startValidator({ path: validator, ledger, reset: false, port: node.port });
    await sleep(third);
    stopping.abort();
    await Promise.all([telling, measuring]);
    say(`traffic has ended: ${traffic.addresses.size} accounts`);
    await sleep(restMs);
    const wrong = [];
    let asked = 0;
    for (const { name, endpoint, commitment, output } of followers) {
      const requests = requestsAbout(traffic.addresses, commitment);
      asked += requests.length;
      const found = await compareAtRest(requests, theirs, endpoint);
      say(`${name}: ${requests.length} answers compared, ${found.length} wrong`);
      if (found.length > 0) say(output);
      wrong.push(...found.map((pair) => ({ ...pair, follower: name })));
    }
    await Promise.all(followers.map((follower) => follower.stop()));
    node = await resetLedger(node, validator, ledger);
    problems.push(...(await refusalProblems(node.url, folder)));
    return {
      transactions: sum(traffic.tally.done),
      refused: sum(traffic.tally.refused),
      accounts: traffic.addresses.size,
      asked,
      delays,
      wrong,
      problems,
    };
  } finally {
    stopping.abort();
    await Promise.all(followers.map((follower) => follower.stop()));
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0);

const findVoteAccount = async (url: string): Promise<string | null> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getVoteAccounts" });
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const answer = (await response.json()) as { result?: { current: { votePubkey: string }[] } };
  return answer.result?.current[0]?.votePubkey ?? null;
};

/** Pays new wallets in parallel with the stories, and notes when each follower shows them. */
const measure = async (
  url: string,
  seed: number,
  followers: readonly Follower[],
  delays: Map<string, number[]>,
  signal: AbortSignal,
): Promise<void> => {
  const random = new Random(seed, 0x81, 0);
  const bank = new RpcBank(url, await seededSigner(random));
  await bank.fund();
  const theirs = httpEndpoint("validator", url);
  for (; !signal.aborted; await sleep(measureEveryMs)) {
    const address = encodeAddress(random.bytes(32));
    const paying = payWallet(bank, address, paidLamports).catch(() => undefined);
    const found = await Promise.all(followers.map(({ endpoint }) => measureDelay(address, theirs, endpoint)));
    await paying;
    for (const [index, { name }] of followers.entries()) {
      const delay = found[index];
      if (delay !== null && delay !== undefined) delays.set(name, [...(delays.get(name) ?? []), delay]);
    }
  }
};

const resetLedger = async (
  node: RunningValidator,
  path: string,
  ledger: string,
): Promise<RunningValidator> => {
  await node.kill();
  return startValidator({ path, ledger, reset: true, port: node.port });
};

/** A store of one chain must not be followed over another. */
const refusalProblems = async (url: string, folder: string): Promise<readonly string[]> => {
  const problems = [];
  for (const name of ["served.db", "followed.db"]) {
    const store = `sqlite:${join(folder, name)}`;
    const refused = new LamplightProcess(["follow", "rpc", `--url=${url}`, `--store=${store}`]);
    const exitCode = await Promise.race([refused.exitCode(), sleep(60_000, "running" as const)]);
    await refused.end("SIGKILL");
    if (exitCode !== 1)
      problems.push(`${name} was followed over a reset ledger (${exitCode}): ${refused.output}`);
  }
  return problems;
};
