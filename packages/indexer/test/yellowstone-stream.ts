// A simulated chain, a real gRPC server on loopback that streams it, and a follower into a store.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { ChainEvent, IndexStore, Slot } from "@lamplight/core";
import { ChainSimulation, lastWrites } from "@lamplight/devchain";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { YellowstoneSource } from "@lamplight/sources/yellowstone";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, expect } from "vitest";
import { indexContent } from "./index-content.ts";
import { createIndexer } from "../src/indexer.ts";
import { ForkOverlay } from "../src/overlay/fork-overlay.ts";
import { ChainFollower } from "../src/follow/chain-follower.ts";

export const seed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 7);

let folder: string;
export let simulation: ChainSimulation;
export let upstream: SimulatedYellowstone;
let url: string;
let store: IndexStore;
let reader: SqliteReader;
export let overlay: ForkOverlay;
export let follower: ChainFollower;
export let stopping: AbortController;
export let problems: string[];
export let running: Promise<void>;
export let source: YellowstoneSource;

/** A test sets these. */
export const stream: {
  gate: Promise<void>;
  renews: boolean;
  replay: readonly ChainEvent[] | null;
} = {
  /** The follower waits for this promise before each event. */
  gate: Promise.resolve(),
  /** The server replays this; null = what the simulated chain has. */
  replay: null,
  /** Whether a gap makes the source restart. */
  renews: false,
};

/** Each test has a new chain, a server that streams it, and a store of its genesis. */
export const useStream = (): void => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "lamplight-yellowstone-"));
    simulate({});
    const replay = (from: Slot): readonly ChainEvent[] => stream.replay ?? simulation.replay(from);
    upstream = new SimulatedYellowstone({ replay, token: "secret" });
    url = await upstream.start();
    const file = join(folder, "index.db");
    store = openSqliteStore({ file, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    await applyGenesis(store);
    reader = openSqliteReader({ file });
    overlay = await ForkOverlay.open({ store, viewSource: reader, closeFromTransactions: false });
    follower = new ChainFollower({ overlay, onGap: () => stream.renews && source.renew() });
    stream.renews = false;
    stream.replay = null;
    stream.gate = Promise.resolve();
    problems = [];
  });
  afterEach(async () => {
    stopping.abort();
    await running.catch(() => undefined);
    upstream.stop();
    reader.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
};

/** Replaces the chain before anything of it was streamed. */
export const simulate = (options: Partial<ConstructorParameters<typeof ChainSimulation>[0]>): void => {
  simulation = new ChainSimulation({ seed, isChaotic: true, ...options });
};

const applyGenesis = async (target: IndexStore): Promise<void> => {
  const { accounts, slot, blockhash } = simulation.genesis;
  await createIndexer(target).applyAccounts(accounts, { slot, blockhash });
};

export const follow = (token: string | null = "secret", silenceMs?: number, drainMs?: number): void => {
  stopping = new AbortController();
  source = new YellowstoneSource({
    url,
    token,
    accounts: { all: {} },
    transactionPrograms: [encodeAddress(programAddresses.bubblegum)],
    commitment: "processed",
    resumeFrom: () => overlay.state.finalizedSlot + 1,
    signal: stopping.signal,
    onProblem: ({ code }) => problems.push(code),
    retryMs: 1,
    renewMs: 1,
    refusedMs: 1,
    ...(silenceMs === undefined ? {} : { silenceMs }),
    ...(drainMs === undefined ? {} : { drainMs }),
  });
  running = (async () => {
    for await (const event of source.events()) {
      await stream.gate;
      await follower.take(event);
    }
  })();
};

/** Turns of the event loop until something holds; the test's own deadline is the bound. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
};

export const subscribed = (): Promise<void> => until(() => upstream.subscribers === 1);
export const finalizedAt = (slot: Slot): Promise<void> => until(() => overlay.state.finalizedSlot === slot);

export const expectCleanContent = async (): Promise<void> => {
  const clean = openSqliteStore({ file: join(folder, "clean.db"), mode: "write" });
  await applyGenesis(clean);
  for (const block of simulation.pathTo(simulation.finalized)!) {
    const { slot, blockhash, transactions } = block;
    const watermark = { slot, blockhash };
    await createIndexer(clean).apply({ accounts: lastWrites(block), transactions, watermark });
  }
  expect(await indexContent(store)).toBe(await indexContent(clean));
  expect(await store.readWatermark()).toEqual(await clean.readWatermark());
  await clean.close();
};
