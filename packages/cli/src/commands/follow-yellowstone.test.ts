// The command as a process, against a real gRPC server on loopback: stopped, killed, started again.

import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Asset, IndexStore } from "@lamplight/core";
import { ChainSimulation, lastWrites, Random, type SimulatedBlock } from "@lamplight/devchain";
import { SimulatedHistory, SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, onTestFailed, test } from "vitest";
import { runCommand, startCommand } from "../../test/run-command.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 3);
/** Chains in which the process is killed, and times in each. */
const killedSeeds = Number(process.env["LAMPLIGHT_KILL_SEEDS"] ?? 2);
const kills = Number(process.env["LAMPLIGHT_KILLS"] ?? 2);
/** From the last message to the kill, at most. */
const KILL_MS_MAX = 60;
/** One kill with all its checks, on a busy machine. */
const KILL_SECONDS_MAX = 60;

let folder: string;
let file: string;
let simulation: ChainSimulation;
let upstream: SimulatedYellowstone;
let url: string;
const children: ChildProcess[] = [];

/** What alerts are made of. */
const metricNames = [
  "lag_slots",
  "seconds_since_message",
  "seconds_since_update",
  "queued_events",
  "gaps_total",
  "forks",
  "fork_slots_dropped_total",
  "store_log_bytes",
  "store_log_moved",
  "dead_slots_total",
  "replaced_slots_total",
  "overflows_total",
  "unrooted_versions",
  "stalled",
  "root_commits_total",
  "root_commit_seconds_total",
];

const startChain = async (seed: number): Promise<void> => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-follow-"));
  file = join(folder, "index.db");
  simulation = new ChainSimulation({ seed, isStormy: true });
  upstream = new SimulatedYellowstone({ replay: (from) => simulation.replay(from), token: "secret" });
  url = await upstream.start();
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  await applyGenesis(store);
  await store.close();
};

const endChain = (): void => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  upstream.stop();
  rmSync(folder, { recursive: true });
};

beforeEach(() => startChain(firstSeed));
afterEach(() => endChain());

const applyGenesis = async (store: IndexStore): Promise<void> => {
  const { accounts, slot, blockhash } = simulation.genesis;
  await createIndexer(store).applyAccounts(accounts, { slot, blockhash });
};

const start = async (...more: readonly string[]): Promise<{ child: ChildProcess; said: string[] }> => {
  const child = startCommand(["follow", "yellowstone", url, "--store", `sqlite:${file}`, ...more], {
    LAMPLIGHT_YELLOWSTONE_TOKEN: "secret",
  });
  children.push(child);
  const said: string[] = [];
  createInterface(child.stderr!).on("line", (line) => said.push(line));
  child.stdout!.resume();
  await until(() => upstream.subscribers > 0 || child.exitCode !== null);
  expect([child.exitCode, said]).toEqual([null, said]);
  return { child, said };
};

/** Turns of the event loop until something holds; the test's own deadline is the bound. */
const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
};

const rootedAt = (slot: number): Promise<void> =>
  until(async () => {
    const reader = openSqliteReader({ file });
    const view = await reader.openView("finalized");
    view.close();
    reader.close();
    return view.slot === slot;
  });

/** Store, tables, assets and search agree. */
const expectSound = async (): Promise<void> => {
  const { exitCode, stdout } = await runCommand(["verify", "--store", `sqlite:${file}`]);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining(": sound")]);
};

const assetsOf = async (store: IndexStore): Promise<unknown> =>
  (await store.readAssetPage(0, 1000)).map(({ document, extras, createdSlot, updatedSlot }: Asset) => [
    document,
    extras,
    createdSlot,
    updatedSlot,
  ]);

/** A store that applies the agreed chain slot by slot, to hold the followed one against. */
class CleanRun {
  readonly #store = openSqliteStore({ file: join(folder, "clean.db"), mode: "write" });
  #slot = simulation.genesis.slot;

  static async start(): Promise<CleanRun> {
    const run = new CleanRun();
    await applyGenesis(run.#store);
    return run;
  }

  /** Watermark, accounts and assets of the followed store must be those after the very slot it says it stands at. */
  async expectSame(): Promise<void> {
    const followed = openSqliteStore({ file, mode: "write" });
    try {
      const watermark = (await followed.readWatermark())!;
      expect(watermark.slot).toBeGreaterThanOrEqual(this.#slot);
      for (const block of simulation.pathTo(watermark.slot, this.#slot)!) await this.#apply(block);
      this.#slot = watermark.slot;
      expect(watermark).toEqual(await this.#store.readWatermark());
      expect(await followed.readAccountPage(null, 1000)).toEqual(
        await this.#store.readAccountPage(null, 1000),
      );
      expect(await assetsOf(followed)).toEqual(await assetsOf(this.#store));
    } finally {
      await followed.close();
    }
  }

  async close(): Promise<void> {
    await this.#store.close();
  }

  async #apply(block: SimulatedBlock): Promise<void> {
    const { slot, blockhash, transactions } = block;
    const watermark = { slot, blockhash };
    await createIndexer(this.#store).apply({ accounts: lastWrites(block), transactions, watermark });
  }
}

describe("lamplight follow yellowstone", () => {
  test.each(Array.from({ length: killedSeeds }, (_, index) => firstSeed + index))(
    `killed at ${kills} moments of seed %i, it goes on where the store stands: nothing lost, nothing twice`,
    async (seed) => {
      endChain();
      await startChain(seed);
      onTestFailed(() => {
        const settings = `LAMPLIGHT_FORK_SEED=${seed} LAMPLIGHT_KILL_SEEDS=1 LAMPLIGHT_KILLS=${kills}`;
        console.error(
          `repeat with: ${settings} npx vitest run packages/cli/src/commands/follow-yellowstone.test.ts`,
        );
      });
      const random = new Random(seed, 400, 0);
      const clean = await CleanRun.start();
      for (let kill = 0; kill < kills; kill += 1) {
        const { child } = await start();
        for (let steps = random.between(1, 12); steps > 0; steps -= 1) {
          upstream.tell(simulation.next());
          if (random.percent(10)) upstream.tell(simulation.equivocate());
          if (random.percent(10)) {
            simulation.equivocate();
            upstream.cutOff();
          }
        }
        // Before, within, and after its commits.
        const isAfter = random.percent(50);
        if (isAfter) await rootedAt(simulation.finalized);
        if (isAfter) upstream.tell(simulation.next());
        if (random.percent(70)) await sleep(random.below(KILL_MS_MAX));
        child.kill("SIGKILL");
        await once(child, "exit");
        await until(() => upstream.subscribers === 0);
        await clean.expectSame();
        await expectSound();
      }
      const { child } = await start();
      upstream.tell(simulation.settle());
      await rootedAt(simulation.finalized);
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
      await clean.expectSame();
      await expectSound();
      await clean.close();
    },
    60_000 + kills * KILL_SECONDS_MAX * 1000,
  );

  test("tells metrics and readiness on a port of its own", async () => {
    const { child, said } = await start("--metrics-port", "0");
    await until(() => said.some((line) => line.startsWith("metrics: ")));
    const metricsUrl = said.find((line) => line.startsWith("metrics: "))!.slice("metrics: ".length);
    for (let step = 0; step < 5; step += 1) upstream.tell(simulation.next());
    upstream.tell(simulation.settle());
    await rootedAt(simulation.finalized);
    const text = await (await fetch(metricsUrl)).text();
    expect(text).toContain(`lamplight_follow_slot{commitment="finalized"} ${simulation.finalized}\n`);
    expect(text).toContain("lamplight_follow_gap 0\n");
    const [, newest] = /^lamplight_follow_source_slot\{source="yellowstone"\} (\d+)$/mu.exec(text)!;
    const lag = Number(newest) - simulation.finalized;
    expect(text).toContain(
      `lamplight_follow_lag_slots{source="yellowstone",commitment="finalized"} ${lag}\n`,
    );
    for (const name of metricNames) expect(text).toMatch(new RegExp(`^lamplight_follow_${name}[{ ]`, "mu"));
    const ready = await fetch(metricsUrl.replace("/metrics", "/readyz"));
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.objectContaining({ status: "following", rootedSlot: simulation.finalized, gap: null }),
    ]);
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("what the server cannot replay is read from the blocks of an RPC node", async () => {
    const history = new SimulatedHistory(simulation);
    const node = await history.start();
    const { child, said } = await start("--repair-rpc", node);
    try {
      for (let step = 0; step < 10; step += 1) upstream.tell(simulation.next());
      await rootedAt(simulation.finalized);
      upstream.mood = { kind: "none" };
      upstream.cutOff();
      for (let step = 0; step < 6; step += 1) simulation.next();
      simulation.settle();
      await until(() => upstream.subscribers > 0);
      const lost = simulation.finalized;
      for (let step = 0; step < 6; step += 1) upstream.tell(simulation.next());
      upstream.tell(simulation.settle());
      await until(() => said.some((line) => line.startsWith("reading slots")));
      // What was read goes in between two events: the chain moves on until it has.
      await until(async () => {
        upstream.tell(simulation.next());
        upstream.tell(simulation.settle());
        await sleep(20);
        // It may reach further: of the first slots that are told again, the beginning may be missing too.
        const filled = said.map((line) => /^the hole up to slot (\d+) is filled$/u.exec(line)?.[1]);
        return filled.some((slot) => slot !== undefined && Number(slot) >= lost);
      });
      await rootedAt(simulation.finalized);
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
      await expectSound();
    } finally {
      history.stop();
    }
  });

  test("a process that serves beside it answers every commitment from each new root", async () => {
    const { child } = await start();
    const server = startCommand(["serve", "--store", `sqlite:${file}`, "--key", "k", "--port", "0"]);
    children.push(server);
    const served = await new Promise<string>((resolve, reject) => {
      createInterface(server.stdout!).on("line", (line) => {
        const entry = JSON.parse(line) as { msg?: string; url: string };
        if (entry.msg === "serving") resolve(entry.url);
      });
      server.once("exit", (code) => reject(new Error(`ended with ${code} before it served`)));
    });
    const slotAt = async (commitment: string): Promise<number> => {
      const params = ["SysvarC1ock11111111111111111111111111111111", { commitment }];
      const response = await fetch(`${served}/v3/k`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAccountInfo", params }),
      });
      const { result } = (await response.json()) as { result: { context: { slot: number } } };
      return result.context.slot;
    };
    let last = await slotAt("finalized");
    expect(last).toBe(simulation.genesis.slot);
    for (let root = 0; root < 5; root += 1) {
      while (simulation.finalized === last) upstream.tell(simulation.next());
      const wanted = simulation.finalized;
      await until(async () => (await slotAt("finalized")) === wanted);
      expect(await Promise.all(["processed", "confirmed"].map(slotAt))).toEqual([wanted, wanted]);
      last = wanted;
    }
    for (const one of [child, server]) {
      one.kill("SIGTERM");
      expect(await once(one, "exit")).toEqual([0, null]);
    }
  });

  test("refuses in one sentence what cannot work", async () => {
    const store = `sqlite:${file}`;
    for (const [args, message, code] of [
      [["--store", store], "exactly one URL", 2],
      [[url, "--store", store, "--repair-rpc", "ftp://x"], "must begin with https:// or http://", 2],
      [["ftp://x", "--store", store], "must begin with https:// or http://", 2],
      [[`${url}/t0ken`, "--store", store], `of ${url} must end after host and port`, 2],
      [[url], "--store is missing", 2],
      [[url, "--store", store, "--commitment", "finalized"], "must be processed or confirmed", 2],
      [[url, "--store", `sqlite:${file}.none`], "does not exist", 1],
      [[url, "--store", store, "--token", "wrong"], "refuses us", 1],
    ] as const) {
      const { exitCode, stderr } = await runCommand(["follow", "yellowstone", ...args]);
      expect(stderr).toContain(message);
      expect(stderr).not.toContain("t0ken");
      expect(exitCode).toBe(code);
    }
  });

  test("a store that was never loaded has nowhere to go on from", async () => {
    const empty = join(folder, "empty.db");
    const made = openSqliteStore({ file: empty, mode: "write" });
    await made.writeCoverage({ kind: "whole" });
    await made.close();
    const { exitCode, stderr } = await runCommand([
      "follow",
      "yellowstone",
      url,
      "--store",
      `sqlite:${empty}`,
    ]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("loading")]);
  });
});
