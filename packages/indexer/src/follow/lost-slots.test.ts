// Slots that a stream has lost for good, read from the blocks of an ordinary node over real HTTP, merged into one slot over real gRPC.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Account, ChainEvent, IndexStore, Slot, Transaction } from "@lamplight/core";
import { ChainSimulation, lastWrites, Random } from "@lamplight/devchain";
import { SimulatedHistory, SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { GapReader, YellowstoneSource } from "@lamplight/sources/yellowstone";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, onTestFailed, test } from "vitest";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "../overlay/fork-overlay.ts";
import { verifyAssets } from "../verify/verify-assets.ts";
import { ChainFollower } from "./chain-follower.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 25);
const seeds = Number(
  process.env["LAMPLIGHT_LOST_SEEDS"] ?? (process.env["LAMPLIGHT_FORK_SEED"] === undefined ? 4 : 1),
);

let folder: string;
let simulation: ChainSimulation;
let upstream: SimulatedYellowstone;
let history: SimulatedHistory;
let store: IndexStore;
let reader: SqliteReader;
let overlay: ForkOverlay;
let follower: ChainFollower;
let gaps: GapReader;
let stopping: AbortController;
let running: Promise<void>;
let random: Random;
/** The newest that the follower has taken. */
let last: ChainEvent | null;

const start = async (seed: number): Promise<void> => {
  onTestFailed(() => {
    console.error(
      `repeat with: LAMPLIGHT_FORK_SEED=${seed} npx vitest run packages/indexer/src/follow/lost-slots.test.ts`,
    );
  });
  random = new Random(seed, 450, 0);
  last = null;
  simulation = new ChainSimulation({ seed, isChaotic: true });
  upstream = new SimulatedYellowstone({ replay: (from) => simulation.replay(from) });
  history = new SimulatedHistory(simulation);
  const file = join(folder, "index.db");
  store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  await applyGenesis(store);
  reader = openSqliteReader({ file });
  overlay = await ForkOverlay.open({ store, viewSource: reader, closeFromTransactions: false });
  follower = new ChainFollower({ overlay });
  stopping = new AbortController();
  const { signal } = stopping;
  gaps = new GapReader({ url: await history.start(), signal, retryMs: 1 });
  const source = new YellowstoneSource({
    url: await upstream.start(),
    token: null,
    accounts: { all: {} },
    transactionPrograms: [encodeAddress(programAddresses.bubblegum)],
    commitment: "processed",
    resumeFrom: () => overlay.state.finalizedSlot + 1,
    signal,
    retryMs: 1,
  });
  running = (async () => {
    for await (const event of source.events()) {
      await follower.take(event);
      last = event;
    }
  })();
  await until(() => upstream.subscribers === 1);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-lost-"));
});
afterEach(async () => {
  stopping.abort();
  await running.catch(() => undefined);
  gaps.close();
  upstream.stop();
  history.stop();
  reader.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const applyGenesis = async (target: IndexStore): Promise<void> => {
  const { accounts, slot, blockhash } = simulation.genesis;
  await createIndexer(target).applyAccounts(accounts, { slot, blockhash });
};

/** Turns of the event loop until something holds; the test's own deadline is the bound. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
};

/** Newest slot that was reported, on any fork. */
let reportedThrough: Slot;

const emit = (events: readonly ChainEvent[]): void => {
  for (const event of events)
    if (event.kind === "slot") reportedThrough = Math.max(reportedThrough, event.slot);
  upstream.emit(events);
};

/** The head, which is final now; no one is notified. */
const settled = (): Slot => {
  simulation.settle();
  return simulation.finalized;
};

/**
 * A few slots followed, a few lost with the stream, which a server without memory does not report again, and more. It is
 * joined during a slot, as every running chain is.
 */
const loseSlots = async (lostSteps = 1): Promise<void> => {
  reportedThrough = 0;
  for (let step = 0; step < 12; step += 1) emit(simulation.next());
  await until(() => overlay.state.finalizedSlot === simulation.finalized);
  await loseStream(lostSteps);
};

/** The stream breaks, and the next one reports nothing again. */
const loseStream = async (lostSteps: number): Promise<void> => {
  upstream.replayMode = { kind: "none" };
  upstream.joinBefore = (messages) => random.below(messages);
  upstream.cutOff();
  // Few, so that what is read of them does not mend by chance what the half of the next one lacks.
  for (let step = 1; step < lostSteps; step += 1) simulation.next();
  // The loop ends once a lost slot is settled, because slots that were reported before are not lost.
  do simulation.next();
  while (settled() <= reportedThrough);
  await until(() => upstream.subscribers === 1);
  const lost = simulation.finalized;
  // From here on everything is reported again; what was lost lies below.
  do {
    do emit(simulation.next());
    while (settled() <= lost);
    emit(simulation.settle());
    const { finalized } = simulation;
    await until(() => last?.kind === "slot" && last.status === "finalized" && last.slot === finalized);
  } while (follower.state.gap!.missing >= simulation.finalized);
  expect(follower.state.gap?.missing).toBeGreaterThan(overlay.state.finalizedSlot);
};

const gapOf = () => {
  const { gap } = follower.state;
  const { finalizedSlot } = overlay.state;
  return {
    finalizedSlot,
    finalizedBlockhash: overlay.blockhashOf(finalizedSlot) ?? null,
    through: gap!.missing,
  };
};

/** Only what is known can have been closed: an account that came and went in the gap never was. */
const withoutUnknownClosings = async (
  accounts: readonly Account[],
  known: IndexStore,
): Promise<readonly Account[]> => {
  const states = await known.readAccountStates(accounts.map(({ address }) => address));
  return accounts.filter(({ lamports }, index) => lamports > 0n || states[index] !== null);
};

/** A store that saw every slot up to the gap, and then the end of everything at once. */
const applyAsOne = async (target: IndexStore, finalizedSlot: Slot): Promise<void> => {
  await applyGenesis(target);
  const newest = new Map<string, Account>();
  const transactions: Transaction[] = [];
  for (const block of simulation.pathTo(simulation.finalized)!) {
    const { slot, blockhash } = block;
    const watermark = { slot, blockhash };
    if (slot <= finalizedSlot) {
      const accounts = lastWrites(block);
      await createIndexer(target).apply({ accounts, transactions: block.transactions, watermark });
      continue;
    }
    for (const account of lastWrites(block)) newest.set(encodeAddress(account.address), account);
    transactions.push(...block.transactions);
  }
  const { slot, blockhash } = simulation.block(simulation.finalized)!;
  const accounts = await withoutUnknownClosings([...newest.values()], target);
  await createIndexer(target).apply({ accounts, transactions, watermark: { slot, blockhash } });
};

const TOKEN_ACCOUNT_BYTES = 165;
const ADDRESS_BYTES = 32;
const AMOUNT_AT = 64;

/** Mints in several token accounts: who holds an asset of them depends on slots, and no chain has two of one. */
const sharedMints = (accounts: readonly Account[]): ReadonlySet<string> => {
  const mints = accounts
    .filter(({ data }) => data.length >= TOKEN_ACCOUNT_BYTES && data[AMOUNT_AT] !== 0)
    .map(({ data }) => encodeAddress(data.subarray(0, ADDRESS_BYTES)));
  return new Set(mints.filter((mint, index) => mints.indexOf(mint) !== index));
};

/** Living accounts and documents; at which slots they were written and seen is not known of the gap. */
const contentOf = async (from: IndexStore): Promise<readonly string[]> => {
  const living = (await from.readAccountPage(null, 1000)).filter(({ current }) => current.lamports > 0n);
  const shared = sharedMints(living.map(({ current }) => current));
  const accounts = living.map(({ current: { address, lamports, programOwner, data, rentEpoch } }) =>
    [
      encodeAddress(address),
      lamports,
      encodeAddress(programOwner),
      Buffer.from(data).toString("hex"),
      rentEpoch,
    ].join(" "),
  );
  const assets = (await from.readAssetPage(0, 1000)).filter(({ id }) => !shared.has(encodeAddress(id)));
  return [...accounts, ...assets.map(({ document, extras }) => `${document} ${extras}`)].toSorted();
};

describe("slots that a stream has lost", () => {
  test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
    "are read from blocks and merged into one slot: the store then holds what they left behind (seed %i)",
    async (seed) => {
      await start(seed);
      await loseSlots();
      // The reader halves a range that has too many accounts for one answer.
      history.accountsMax = 2;
      const gap = gapOf();
      const filling = await gaps.read(gap);
      const accounts = await withoutUnknownClosings(filling.accounts, store);
      expect(await follower.fillGap({ ...filling, accounts })).toBe(true);
      expect(overlay.state.finalizedSlot).toBe(simulation.finalized);
      expect(follower.state.gap).toBe(null);
      const clean = openSqliteStore({ file: join(folder, "clean.db"), mode: "write" });
      await applyAsOne(clean, gap.finalizedSlot);
      expect(await contentOf(store)).toEqual(await contentOf(clean));
      expect(await store.readWatermark()).toEqual(await clean.readWatermark());
      expect(await verifyAssets(store)).toMatchObject({ differing: 0 });
      expect(await store.checkIntegrity()).toEqual([]);
      await clean.close();
    },
  );

  test("are read in one line, however many are read at once", async () => {
    await start(firstSeed);
    await loseSlots(40);
    const gap = gapOf();
    expect(simulation.pathTo(gap.through, gap.finalizedSlot)!.length).toBeGreaterThan(16);
    const filling = await gaps.read(gap);
    const accounts = await withoutUnknownClosings(filling.accounts, store);
    expect(await follower.fillGap({ ...filling, accounts })).toBe(true);
    expect(overlay.state.finalizedSlot).toBe(simulation.finalized);
    expect(await verifyAssets(store)).toMatchObject({ differing: 0 });
  });

  test("are read in several goes, each from where the last one ended, when more was lost in the meantime", async () => {
    await start(firstSeed);
    await loseSlots(12);
    const first = gapOf();
    await gaps.read(first);
    const asked = history.asked.splice(0);
    await loseStream(6);
    const gap = gapOf();
    expect(gap).toMatchObject({ finalizedSlot: first.finalizedSlot });
    expect(gap.through).toBeGreaterThan(first.through);
    const filling = await gaps.read(gap);
    expect(Math.min(...history.asked)).toBeGreaterThan(Math.max(...asked));
    const accounts = await withoutUnknownClosings(filling.accounts, store);
    expect(await follower.fillGap({ ...filling, accounts })).toBe(true);
    expect(overlay.state.finalizedSlot).toBe(simulation.finalized);
    const clean = openSqliteStore({ file: join(folder, "clean.db"), mode: "write" });
    await applyAsOne(clean, gap.finalizedSlot);
    expect(await contentOf(store)).toEqual(await contentOf(clean));
    expect(await verifyAssets(store)).toMatchObject({ differing: 0 });
    await clean.close();
  });

  test("stay a gap while the node has not all their blocks, or others", async () => {
    await start(firstSeed);
    await loseSlots();
    const gap = gapOf();
    history.missing.add(gap.through);
    await expect(gaps.read(gap)).rejects.toMatchObject({ code: "SOURCE__DOWNLOAD" });
    history.missing.clear();
    await expect(gaps.read({ ...gap, finalizedBlockhash: "another" })).rejects.toThrow(
      /is not a child of our block at slot/u,
    );
    const filling = await gaps.read(gap);
    expect(await follower.fillGap({ ...filling, slot: simulation.finalized + 1 })).toBe(false);
    expect(await follower.fillGap({ ...filling, blockhash: "another" })).toBe(false);
    expect(overlay.state.finalizedSlot).toBe(gap.finalizedSlot);
  });
});
