// The command as a process, against a real gRPC server on loopback.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Slot } from "@lamplight/core";
import type { ChainSimulation } from "@lamplight/devchain";
import { SimulatedHistory, type SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FollowedChain, type Running, untilLogged } from "../../test/followed-chain.ts";
import { runCommand } from "../../test/run-command.ts";
import { postCall } from "../../test/serving.ts";
import { until } from "../../test/until.ts";

const seed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 3);

let folder: string;
let chain: FollowedChain;
let simulation: ChainSimulation;
let upstream: SimulatedYellowstone;

/** Metrics on which the alerts are based. */
const metricNames = [
  "lag_slots",
  "message_age_seconds",
  "update_age_seconds",
  "queued_events",
  "gaps_total",
  "forks",
  "fork_slots_dropped_total",
  "store_wal_bytes",
  "store_checkpoint_thread_running",
  "store_checkpoint_refused",
  "dead_slots_total",
  "replaced_slots_total",
  "overflows_total",
  "unfinalized_versions",
  "unfinalized_bytes",
  "unfinalized_assets",
  "unfinalized_asset_bytes",
  "stalled",
  "finalized_commits_total",
  "finalized_commit_seconds_total",
];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-follow-"));
  const store = `sqlite:${join(folder, "index.db")}`;
  chain = await FollowedChain.start({ store, clean: `sqlite:${join(folder, "clean.db")}`, seed });
  ({ simulation, upstream } = chain);
});
afterEach(async () => {
  await chain.stop();
  rmSync(folder, { recursive: true });
});

const start = async (...more: readonly string[]): Promise<Running> => {
  const running = chain.follow(...more);
  await until(() => upstream.subscribers > 0 || running.child.exitCode !== null);
  expect([running.child.exitCode, running.said]).toEqual([null, running.said]);
  return running;
};

const finalizedAt = (slot: Slot): Promise<void> => until(async () => (await chain.finalizedSlot()) === slot);

const metricsUrlOf = async (running: Running): Promise<string> =>
  (await untilLogged(running, /^metrics: /u)).slice("metrics: ".length);

describe("lamplight follow yellowstone", () => {
  test("reports metrics and readiness on a port of its own", async () => {
    const running = await start("--metrics-port", "0");
    const metricsUrl = await metricsUrlOf(running);
    for (let step = 0; step < 5; step += 1) upstream.emit(simulation.next());
    upstream.emit(simulation.settle());
    await finalizedAt(simulation.finalized);
    const reported = await (await fetch(metricsUrl)).text();
    expect(reported).toContain(`lamplight_follow_slot{commitment="finalized"} ${simulation.finalized}\n`);
    expect(reported).toContain("lamplight_follow_gap 0\n");
    const [, newest] = /^lamplight_follow_source_slot\{source="yellowstone"\} (\d+)$/mu.exec(reported)!;
    const lag = /^lamplight_follow_lag_slots\{source="yellowstone",commitment="finalized"\} (\d+)$/mu.exec(
      reported,
    )!;
    // It grows by the clock while nothing new comes.
    expect(Number(lag[1])).toBeGreaterThanOrEqual(Number(newest) - simulation.finalized);
    for (const name of metricNames)
      expect(reported).toMatch(new RegExp(`^lamplight_follow_${name}[{ ]`, "mu"));
    const ready = await fetch(metricsUrl.replace("/metrics", "/readyz"));
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.objectContaining({ status: "following", finalizedSlot: simulation.finalized, gap: null }),
    ]);
    running.child.kill("SIGINT");
    expect(await once(running.child, "exit")).toEqual([0, null]);
  });

  test("asked to stop, it commits what had come to be finalized, and says where it stands", async () => {
    const running = await start("--metrics-port", "0");
    const metricsUrl = await metricsUrlOf(running);
    const events = [...Array.from({ length: 30 }, () => simulation.next()).flat(), ...simulation.settle()];
    upstream.emit(events);
    const sent = upstream.encode(events).length;
    // The port is open before following begins. Until then there is no count.
    const countMessages = async (): Promise<number> => {
      const metrics = await (await fetch(metricsUrl)).text();
      return Number(/^lamplight_follow_messages_total (\d+)$/mu.exec(metrics)?.[1] ?? 0);
    };
    await until(async () => {
      const came = await countMessages();
      if (came <= sent) return came === sent;
      // A stream that was started again has repeated some of them.
      await sleep(1000);
      return (await countMessages()) === came;
    });
    running.child.kill("SIGTERM");
    const [said] = await Promise.all([text(running.child.stdout!), once(running.child, "exit")]);
    expect(said).toBe(`stopped at finalized slot ${simulation.finalized}\n`);
    expect(await chain.finalizedSlot()).toBe(simulation.finalized);
    await chain.expectCleanStore();
  });

  test("what the server cannot replay is read from the blocks of an RPC node", async () => {
    const history = new SimulatedHistory(simulation);
    const node = await history.start();
    const { child, said } = await start("--repair-rpc", node);
    try {
      for (let step = 0; step < 10; step += 1) upstream.emit(simulation.next());
      await finalizedAt(simulation.finalized);
      upstream.replayMode = { kind: "none" };
      upstream.cutOff();
      for (let step = 0; step < 6; step += 1) simulation.next();
      simulation.settle();
      await until(() => upstream.subscribers > 0);
      const lost = simulation.finalized;
      for (let step = 0; step < 6; step += 1) upstream.emit(simulation.next());
      upstream.emit(simulation.settle());
      await until(() => said.some((line) => line.startsWith("reading slots")));
      // The follower applies repaired slots between two events: the chain moves on until the gap is repaired.
      await until(async () => {
        upstream.emit(simulation.next());
        upstream.emit(simulation.settle());
        await sleep(20);
        // It may reach further: of the first slots that are reported again, the beginning may be missing too.
        const filled = said.map((line) => /^the gap up to slot (\d+) is repaired$/u.exec(line)?.[1]);
        return filled.some((slot) => slot !== undefined && Number(slot) >= lost);
      });
      await finalizedAt(simulation.finalized);
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
      await chain.expectSound();
    } finally {
      history.stop();
    }
  });

  test("a process that serves next to it answers every commitment from each new root", async () => {
    const { child } = await start();
    const server = chain.serve();
    const served = (JSON.parse(await untilLogged(server, /"msg":"serving"/u)) as { url: string }).url;
    const slotAt = async (commitment: string): Promise<number> => {
      const params = ["SysvarC1ock11111111111111111111111111111111", { commitment }];
      const response = await postCall(`${served}/v3/k`, "getAccountInfo", params);
      const { result } = (await response.json()) as { result: { context: { slot: number } } };
      return result.context.slot;
    };
    let last = await slotAt("finalized");
    expect(last).toBe(simulation.genesis.slot);
    for (let root = 0; root < 5; root += 1) {
      while (simulation.finalized === last) upstream.emit(simulation.next());
      const wanted = simulation.finalized;
      await until(async () => (await slotAt("finalized")) === wanted);
      expect(await Promise.all(["processed", "confirmed"].map(slotAt))).toEqual([wanted, wanted]);
      last = wanted;
    }
    for (const one of [child, server.child]) {
      one.kill("SIGTERM");
      expect(await once(one, "exit")).toEqual([0, null]);
    }
  });

  test("refuses in one sentence what cannot work", async () => {
    const { store, upstreamUrl: url } = chain;
    for (const [args, message, code] of [
      [["--store", store], "exactly one URL", 2],
      [[url, "--store", store, "--repair-rpc", "ftp://x"], "must begin with https:// or http://", 2],
      [["ftp://x", "--store", store], "must begin with https:// or http://", 2],
      [[`${url}/t0ken`, "--store", store], `of ${url} must end after host and port`, 2],
      [[url], "--store is missing", 2],
      [[url, "--store", store, "--commitment", "finalized"], "must be processed or confirmed", 2],
      [[url, "--store", `${store}.none`], "does not exist", 1],
      [[url, "--store", store, "--token", "wrong"], "refused the request", 1],
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
      chain.upstreamUrl,
      "--store",
      `sqlite:${empty}`,
    ]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("loading")]);
  });
});
