// The command as a process, against a real JSON-RPC and WebSocket server on loopback: stopped, killed, started again.

import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { BubblegumTree, ChainSimulation, Random } from "@lamplight/devchain";
import { noFaults, RpcLedger, type RpcFaults, SimulatedRpc } from "@lamplight/devchain/upstream";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, onTestFailed, test } from "vitest";
import { declaredMetrics, isOfRpc, namedMetrics } from "../../test/deploy-metrics.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";
import { postCall } from "../../test/serving.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 5);
/** Chains in which the process is killed, and times in each. */
const killedSeeds = Number(process.env["LAMPLIGHT_KILL_SEEDS"] ?? 2);
const kills = Number(process.env["LAMPLIGHT_KILLS"] ?? 2);
/** One kill with all its checks, on a busy machine. */
const KILL_SECONDS_MAX = 60;
/** From the start to the kill, at most: a process needs about half of it to begin. */
const KILL_MS_MAX = 1200;
const BLOCK_MS = 40;
const key = "do-not-tell-7f3a";
const clock = "SysvarC1ock11111111111111111111111111111111";
const nobody = encodeAddress(new Uint8Array(32).fill(3));
const tree = encodeAddress(new BubblegumTree(1).address);
const programs = [programAddresses.token, programAddresses.token2022, programAddresses.tokenMetadata].map(
  (program) => encodeAddress(program),
);

let folder: string;
let file: string;
let ledger: RpcLedger;
let node: SimulatedRpc;
let url: string;
let chain: NodeJS.Timeout;
const children: ChildProcess[] = [];
let said: string[];

const startChain = async (seed: number): Promise<void> => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-follow-rpc-"));
  file = join(folder, "index.db");
  ledger = new RpcLedger(new ChainSimulation({ seed, isChaotic: true }), [tree]);
  node = new SimulatedRpc({ ledger, seed, key });
  url = await node.start();
  said = [];
  chain = setInterval(() => node.emit(ledger.advance()), BLOCK_MS);
};

const endChain = async (): Promise<void> => {
  clearInterval(chain);
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await node.stop();
  rmSync(folder, { recursive: true });
};

beforeEach(() => startChain(firstSeed));
afterEach(() => endChain());

const targets = [...programs.flatMap((program) => ["--program", program]), "--tree", tree];
const environment = (): NodeJS.ProcessEnv => ({
  LAMPLIGHT_RPC_URL: `http://${url}`,
  LAMPLIGHT_RPC_WS_URL: `ws://${url}`,
});

const start = (args: readonly string[]): ChildProcess => {
  const child = startCommand(args, environment());
  children.push(child);
  for (const output of [child.stdout!, child.stderr!]) {
    createInterface(output).on("line", (line) => said.push(line));
  }
  return child;
};

const startFollow = (...more: readonly string[]): ChildProcess =>
  start(["follow", "rpc", "--store", `sqlite:${file}`, ...targets, "--rescan-seconds", "0.2", ...more]);

/** Turns of the event loop until something holds; the test's own deadline is the bound. */
const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await sleep(5);
};

const metricsText = "metrics: ";
const findMetrics = (): string | undefined => said.findLast((line) => line.startsWith(metricsText));

const metricsUrl = async (): Promise<string> => {
  await until(() => findMetrics() !== undefined);
  return findMetrics()!.slice(metricsText.length);
};

const served = (): string | undefined => said.find((line) => line.includes('"msg":"serving"'));

interface Answer {
  readonly result?: { readonly context: { readonly slot: number }; readonly value: unknown } | null;
  readonly error?: { readonly message: string };
}

interface Readiness {
  readonly status: string;
  readonly finalizedSlot: number | null;
  readonly confirmedSlot: number | null;
  readonly rescan: { readonly slot: number; readonly ageSeconds: number; readonly ageSecondsMax: number };
}

const readiness = async (metrics: string): Promise<Readiness> =>
  (await fetch(metrics.replace("/metrics", "/readyz"))).json() as Promise<Readiness>;

/** The chain stands still but for the clock until what it was is read and in the store. */
const settle = async (read: () => Promise<Readiness>): Promise<void> => {
  await until(async () => (await read()).finalizedSlot !== null);
  clearInterval(chain);
  node.faults = noFaults;
  node.emit(ledger.settle());
  node.emit(ledger.pass(1));
  const settled = ledger.tip.slot;
  const pass = async (): Promise<Readiness> => {
    node.emit(ledger.pass(1));
    await sleep(20);
    return read();
  };
  await until(async () => (await pass()).rescan.slot >= settled);
  // Data that was read at an already reported slot arrives with the next slot.
  const last = ledger.tip.slot;
  ledger.finalizeAll();
  await until(async () => {
    const { finalizedSlot } = await pass();
    ledger.finalizeAll();
    return (finalizedSlot ?? 0) > last;
  });
};

/**
 * Tables, accounts, assets and search agree, or there is no store yet, or it is not filled. It is at a block that is
 * final, and holds nothing that never was, or is newer.
 */
const expectWhole = async (): Promise<void> => {
  const { exitCode, stdout, stderr } = await runCommand(["verify", "--store", `sqlite:${file}`]);
  const verdict = exitCode === 0 ? stdout : stderr;
  expect(verdict).toMatch(exitCode === 0 ? /: sound/u : /does not exist|still loading/u);
  if (exitCode !== 0) return;
  const store = openSqliteStore({ file, mode: "write" });
  try {
    const watermark = await store.readWatermark();
    // Filled in part: no one is answered from it.
    if (watermark === null) return;
    const { slot } = watermark;
    expect(ledger.block(slot)).toBeDefined();
    expect(slot).toBeLessThanOrEqual(ledger.final.slot);
    const states = new Set(ledger.blocks(0, slot).flatMap(({ writes }) => writes.map(contentOf)));
    for (const { current } of await store.readAccountPage(null, 1000))
      if (current.lamports > 0n) expect(states).toContain(contentOf(current));
  } finally {
    await store.close();
  }
};

const contentOf = ({ address, lamports, programOwner, data }: Account): string =>
  [encodeAddress(address), lamports, encodeAddress(programOwner), Buffer.from(data).toString("base64")].join(
    " ",
  );

const storedAccounts = async (): Promise<readonly string[]> => {
  const store = openSqliteStore({ file, mode: "write" });
  try {
    const states = await store.readAccountPage(null, 1000);
    return states
      .map(({ current }) => current)
      .filter(({ lamports, address }) => lamports > 0n && encodeAddress(address) !== clock)
      .map(contentOf)
      .toSorted();
  } finally {
    await store.close();
  }
};

const chainAccounts = (): readonly string[] =>
  [...ledger.stateAt(ledger.tip.slot)]
    .filter(
      ([address, { programOwner }]) => address === tree || programs.includes(encodeAddress(programOwner)),
    )
    .map(([, account]) => contentOf(account))
    .toSorted();

const troubles: RpcFaults = {
  ...noFaults,
  limited: 3,
  serverError: 3,
  reset: 3,
  stale: 10,
  missing: 5,
  late: 10,
  cut: 1,
};

/** Another chain that has a block at every slot. */
class OtherLedger extends RpcLedger {
  override block(slot: number): RpcLedger["tip"] {
    return { ...this.tip, slot, blockhash: encodeAddress(new Uint8Array(32).fill(7)) };
  }
}

describe("lamplight follow rpc", () => {
  test.each(Array.from({ length: killedSeeds }, (_, index) => firstSeed + index))(
    `fills an empty store, is killed at ${kills} moments of seed %i, and ends with the chain's state`,
    async (seed) => {
      await endChain();
      await startChain(seed);
      onTestFailed(() => {
        const settings = `LAMPLIGHT_FORK_SEED=${seed} LAMPLIGHT_KILL_SEEDS=1 LAMPLIGHT_KILLS=${kills}`;
        console.error(
          `repeat with: ${settings} npx vitest run packages/cli/src/commands/follow-rpc.test.ts -t killed`,
        );
        console.error(said.slice(-10).join("\n"));
      });
      const random = new Random(seed, 700, 0);
      node.faults = troubles;
      for (let kill = 0; kill < kills; kill += 1) {
        const child = startFollow();
        await sleep(random.below(KILL_MS_MAX));
        // Also during a first filling, a slot, a commit.
        const isFilled = (): boolean => said.some((line) => line.startsWith("filled as of slot"));
        if (random.percent(50)) await until(() => isFilled() || child.exitCode !== null);
        expect(child.exitCode).toBe(null);
        child.kill("SIGKILL");
        await once(child, "exit");
        await expectWhole();
      }
      const child = startFollow("--metrics-port", "0");
      const metrics = await metricsUrl();
      await settle(() => readiness(metrics));
      const text = await (await fetch(metrics)).text();
      expect(text).toMatch(/lamplight_follow_rescan_age_seconds \d/u);
      const declared = declaredMetrics(text);
      expect([...namedMetrics].filter((name) => isOfRpc(name) && !declared.has(name))).toEqual([]);
      expect(text).toMatch(/lamplight_follow_lag_slots\{source="rpc",commitment="confirmed"\} \d/u);
      // A WebSocket that was lost just now is had again after a while; until then the node is polled.
      await until(async () => {
        node.emit(ledger.pass(1));
        return (await readiness(metrics)).status === "listening";
      });
      // Three rounds of 5 seconds, or more where reading takes long.
      expect((await readiness(metrics)).rescan.ageSecondsMax).toBeGreaterThanOrEqual(15);
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
      expect(await storedAccounts()).toEqual(chainAccounts());
      await expectWhole();
      expect(said.join("\n")).toContain("following http://127.0.0.1:");
      expect(said.join("\n") + text).not.toContain(key);
    },
    (kills + 1) * KILL_SECONDS_MAX * 1000,
  );

  test("serves while it follows, fills first, and answers processed with the confirmed slot", async () => {
    const serve = ["serve", "--store", `sqlite:${file}`, "--key", "k", "--port", "0", "--follow", "rpc"];
    const child = start([...serve, ...targets, "--account", nobody, "--rescan-seconds", "0.2"]);
    await until(() => served() !== undefined || child.exitCode !== null);
    const { url: base } = JSON.parse(served()!) as { url: string };
    const ready = async (): Promise<Readiness> => {
      const { follow } = (await (await fetch(`${base}/v3/k/readyz`)).json()) as { follow: Readiness };
      return follow;
    };
    await settle(ready);
    const [known] = [...ledger.stateAt(ledger.tip.slot)].find(([, { programOwner }]) =>
      programs.includes(encodeAddress(programOwner)),
    )!;
    const call = async (address: string, commitment: string): Promise<Answer> => {
      const params = [address, { commitment, encoding: "base64" }];
      const response = await postCall(`${base}/v3/k`, "getAccountInfo", params);
      return (await response.json()) as Answer;
    };
    const ask = async (commitment: string): Promise<{ slot: number; value: unknown }> => {
      const { context, value } = (await call(known, commitment)).result!;
      return { slot: context.slot, value };
    };
    // The chain stands still: what was reported last arrives.
    await until(async () => (await ask("confirmed")).slot === ledger.blockAt("confirmed", 1).slot);
    const confirmed = await ask("confirmed");
    expect(await ask("processed")).toEqual(confirmed);
    const finalized = await ask("finalized");
    expect(finalized.value).toEqual(confirmed.value);
    expect(finalized.slot).toBeLessThanOrEqual(confirmed.slot);
    // The store knows that an address followed by name has no account; other addresses are outside its coverage.
    expect((await call(nobody, "confirmed")).result).toBe(null);
    expect((await call(encodeAddress(new Uint8Array(32).fill(4)), "confirmed")).error?.message).toContain(
      "Outside what this store covers",
    );
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(said.join("\n")).not.toContain(key);
  });

  test("says that it loads while it fills, and obeys a signal in the meantime", async () => {
    // No scan comes to an end.
    node.faults = { ...noFaults, truncated: 100 };
    const child = start([
      "serve",
      "--store",
      `sqlite:${file}`,
      "--key",
      "k",
      "--port",
      "0",
      "--follow",
      "rpc",
      ...targets,
    ]);
    await until(() => served() !== undefined || child.exitCode !== null);
    const { url: base } = JSON.parse(served()!) as { url: string };
    const ready = await fetch(`${base}/v3/k/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: "loading", follow: expect.objectContaining({ finalizedSlot: null }) as unknown },
    ]);
    const response = await postCall(`${base}/v3/k`, "getAccountInfo", [clock]);
    expect(((await response.json()) as Answer).error?.message).toContain("loading");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("without WebSockets it reads again and again", async () => {
    node.hasSocket = false;
    const child = startFollow("--poll-seconds", "0.05", "--metrics-port", "0");
    const metrics = await metricsUrl();
    await settle(() => readiness(metrics));
    expect(await readiness(metrics)).toMatchObject({ status: "polling" });
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await storedAccounts()).toEqual(chainAccounts());
  });

  test("refuses in one sentence what cannot work, and reports no key", async () => {
    const store = ["--store", `sqlite:${file}`];
    for (const [args, more, message, code] of [
      [[...store], {}, "the URL of the node is missing", 2],
      [[`ftp://u:${key}@x`, ...store], {}, "must begin with http:// or https://", 2],
      [[`http://${url}`], {}, "--store is missing", 2],
      [[`http://${url}`, ...store, "--program", "x"], {}, "--program takes an address", 2],
      [[`http://${url}`, ...store, "--ws", "http://x"], {}, "must begin with ws:// or wss://", 2],
      [[`http://${url}0`, ...store, ...targets, "--no-ws"], {}, "refused the request: HTTP 401", 1],
    ] as const) {
      const { exitCode, stdout, stderr } = await runCommand(["follow", "rpc", ...args], more);
      expect([stderr, exitCode]).toEqual([expect.stringContaining(message), code]);
      expect(stdout + stderr).not.toContain(key);
    }
  });

  test("stays on its chain: another block where the store stands is refused", async () => {
    const child = startFollow("--metrics-port", "0");
    const metrics = await metricsUrl();
    await settle(() => readiness(metrics));
    child.kill("SIGTERM");
    await once(child, "exit");
    const finalized = openSqliteStore({ file, mode: "write" });
    const { slot } = (await finalized.readWatermark())!;
    await finalized.close();
    const otherLedger = new OtherLedger(new ChainSimulation({ seed: firstSeed }), []);
    while (otherLedger.final.slot < slot) otherLedger.advance();
    const other = new SimulatedRpc({ ledger: otherLedger, seed: firstSeed });
    const otherUrl = await other.start();
    const { exitCode, stderr } = await runCommand([
      "follow",
      "rpc",
      `http://${otherUrl}`,
      "--no-ws",
      "--store",
      `sqlite:${file}`,
    ]);
    await other.stop();
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("this is another chain")]);
  });
});
