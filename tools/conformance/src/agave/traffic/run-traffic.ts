import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress } from "@lamplight/codecs";
import { Random } from "@lamplight/devchain";
import {
  configurePlugin,
  payWallet,
  type ProgramFile,
  RpcBank,
  seededSigner,
  startValidator,
  Tally,
} from "@lamplight/real-chain";
import type { AnswerPair } from "../decided.ts";
import { type Endpoint, httpEndpoint } from "../endpoints.ts";
import { assetRequestsAbout, compareAtRest, requestsAbout } from "./compare-at-rest.ts";
import { playActs, proveFollowers, proveSpoiled, untilCaughtUp, warpNode } from "./acts.ts";
import { keepArchive } from "./archives.ts";
import {
  followByRpc,
  type Follower,
  RESCAN_SECONDS,
  serveByRpc,
  serveByRpcFrom,
  serveByStreamFrom,
} from "./followers.ts";
import { LamplightProcess } from "./lamplight-process.ts";
import type { Scene } from "./scene.ts";
import { measureDelay } from "./measure-visibility.ts";
import { emitTraffic, type Traffic } from "./emit-traffic.ts";

export interface TrafficRun {
  readonly validator: string;
  /** Path of a Yellowstone plugin that was built for this validator; null = nothing is streamed. */
  readonly plugin: string | null;
  /** Added to the chain, for stories of their own. */
  readonly programs: readonly ProgramFile[];
  readonly minutes: number;
  readonly seed: number;
  /** Begin the chain with Alpenglow. */
  readonly alpenglow: boolean;
  readonly say: (line: string) => void;
}

type Wrong = AnswerPair & { readonly follower: string };

export interface TrafficReport {
  readonly transactions: number;
  readonly refused: number;
  readonly accounts: number;
  readonly asked: number;
  readonly delays: ReadonlyMap<string, readonly number[]>;
  readonly wrong: readonly Wrong[];
  /** Descriptions of what did not happen as it should. */
  readonly problems: readonly string[];
}

const EMITTERS = 4;
/** Blocks of a whole run: lost slots are read from them. */
const SHREDS_KEPT = 10_000_000;
const MEASURE_EVERY_MS = 3000;
const PAID_LAMPORTS = 5_000_000n;
/** Closed accounts are found by a rescan; two of them pass in any case. */
const REST_MS = RESCAN_SECONDS * 3000;

/**
 * Real traffic on a real validator, followed in every way, while both sides crash, freeze and restart. At the end every
 * account is compared, and the followers must refuse the chain that a reset leaves.
 */
export const runTraffic = async (run: TrafficRun): Promise<TrafficReport> => {
  const { minutes, seed, say } = run;
  const folder = mkdtempSync(join(tmpdir(), "lamplight-traffic-"));
  const ledger = join(folder, "ledger");
  const plugin = run.plugin === null ? null : await configurePlugin(run.plugin, folder);
  const start = (reset: boolean, port?: number, more: readonly string[] = []) =>
    startValidator({
      path: run.validator,
      ledger,
      reset,
      ...(port === undefined ? {} : { port }),
      arguments: [
        `--limit-ledger-size=${SHREDS_KEPT}`,
        ...(run.alpenglow ? ["--alpenglow"] : []),
        ...(plugin === null ? [] : ["--geyser-plugin-config", plugin.file]),
        ...run.programs.flatMap(({ address, file }) => ["--bpf-program", address, file]),
        ...more,
      ],
    });
  const node = await start(true);
  const followers: Follower[] = [];
  const problems: string[] = [];
  const scene: Scene = {
    followers,
    folder,
    node,
    restart: (more) => start(false, node.port, more),
    archive: { file: "", slot: 0 },
    say,
    problems,
  };
  const stopping = new AbortController();
  const traffic: Traffic = { tally: new Tally(), addresses: new Set(), broken: 0 };
  const delays = new Map<string, number[]>();
  try {
    scene.archive = await keepArchive(ledger, 0, folder);
    followers.push(await serveByRpc(node.url, folder), await followByRpc(node.url, folder));
    followers.push(await serveByRpcFrom(scene.archive.file, node.url, folder));
    if (plugin !== null)
      followers.push(
        await serveByStreamFrom(scene.archive.file, { stream: plugin.url, url: node.url }, folder),
      );
    say(`${followers.length} followers answer`);
    const vote = await findVoteAccount(node.url);
    const programs = new Set(run.programs.map(({ address }) => address));
    const options = { url: node.url, seed, emitters: EMITTERS, vote, programs, signal: stopping.signal };
    const emitting = emitTraffic(options, traffic);
    const measuring = measure(node.url, seed, followers, delays, stopping.signal);
    await playActs(scene, minutes);
    stopping.abort();
    await Promise.all([emitting, measuring]);
    say(`traffic has ended: ${traffic.addresses.size} accounts`);
    await sleep(REST_MS);
    await untilCaughtUp(scene);
    const { asked, wrong } = await compareFollowers(scene, traffic.addresses);
    if (programs.size > 0) wrong.push(...(await compareAssets(scene, traffic.addresses)));
    await proveFollowers(scene);
    await warpNode(scene);
    await sleep(REST_MS);
    // The changes of a warp are in no block: a stream cannot be followed over it.
    const warped = { ...scene, followers: followers.filter(({ isStreamed }) => !isStreamed) };
    await untilCaughtUp(warped);
    const after = await compareFollowers(warped, traffic.addresses);
    wrong.push(...after.wrong);
    await Promise.all(followers.map((follower) => follower.stop()));
    await proveSpoiled(scene);
    await scene.node.kill();
    scene.node = await start(true, node.port);
    problems.push(...(await refusalProblems(node.url, followers)));
    return {
      transactions: sum(traffic.tally.done),
      refused: sum(traffic.tally.refused),
      accounts: traffic.addresses.size,
      asked: asked + after.asked,
      delays,
      wrong,
      problems,
    };
  } finally {
    stopping.abort();
    await Promise.all(followers.map((follower) => follower.stop()));
    await scene.node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

const compareFollowers = async (
  { node, followers, say }: Scene,
  addresses: Iterable<string>,
): Promise<{ readonly asked: number; readonly wrong: Wrong[] }> => {
  const theirs = httpEndpoint("validator", node.url);
  const wrong = [];
  let asked = 0;
  for (const { name, endpoint, commitment, output } of followers) {
    const requests = requestsAbout(addresses, commitment);
    asked += requests.length;
    const found = await compareAtRest(requests, theirs, endpoint);
    say(`${name}: ${requests.length} answers compared, ${found.length} wrong`);
    if (found.length > 0) say(output);
    wrong.push(...found.map((pair) => ({ ...pair, follower: name })));
  }
  return { asked, wrong };
};

/** RPC does not report what an asset was that came and went between two readings: all that are gone count as the same. */
const withoutGone = ({ name, ask }: Endpoint): Endpoint => ({
  name,
  ask: async (body) => {
    const text = await ask(body);
    return text.includes('"burnt":true') || text.includes('"error"') ? '"gone"' : text;
  },
});

/** Every follower must have the assets of the first one. */
const compareAssets = async (
  { followers, say }: Scene,
  addresses: Iterable<string>,
): Promise<readonly Wrong[]> => {
  const [first, ...others] = followers;
  const requests = assetRequestsAbout(addresses);
  const wrong = [];
  for (const { name, endpoint } of others) {
    const found = await compareAtRest(requests, withoutGone(first!.endpoint), withoutGone(endpoint));
    say(
      `${name}: ${requests.length} answers about assets compared with ${first!.name}, ${found.length} wrong`,
    );
    wrong.push(...found.map((pair) => ({ ...pair, follower: name })));
  }
  return wrong;
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
  for (; !signal.aborted; await sleep(MEASURE_EVERY_MS)) {
    const address = encodeAddress(random.bytes(32));
    const paying = payWallet(bank, address, PAID_LAMPORTS).catch(() => undefined);
    const found = await Promise.all(followers.map(({ endpoint }) => measureDelay(address, theirs, endpoint)));
    await paying;
    for (const [index, { name }] of followers.entries()) {
      const delay = found[index];
      if (delay !== null && delay !== undefined) delays.set(name, [...(delays.get(name) ?? []), delay]);
    }
  }
};

/** A store of one chain must not be followed over another. */
const refusalProblems = async (url: string, followers: readonly Follower[]): Promise<readonly string[]> => {
  const problems = [];
  for (const { name, store } of followers) {
    const refused = new LamplightProcess(["follow", "rpc", `--url=${url}`, `--store=${store}`]);
    const exitCode = await Promise.race([refused.exitCode(), sleep(60_000, "running" as const)]);
    await refused.end("SIGKILL");
    if (exitCode !== 1)
      problems.push(`the store of ${name} was followed over a reset ledger (${exitCode}): ${refused.output}`);
  }
  return problems;
};
