import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, type ChainEvent, type IndexStore, type Slot, reads } from "@lamplight/core";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "../overlay/fork-overlay.ts";
import { ChainFollower } from "./chain-follower.ts";
import type { ChainGap } from "./noted-gap.ts";

const ROOT = 10;

let folder: string;
let store: IndexStore;
let reader: SqliteReader;
let overlay: ForkOverlay;
let follower: ChainFollower;
let gaps: ChainGap[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-follower-"));
  const file = join(folder, "index.db");
  store = openSqliteStore({ file, mode: "write" });
  reader = openSqliteReader({ file });
  await createIndexer(store).applyAccounts([], { slot: ROOT, blockhash: "root" });
  overlay = await ForkOverlay.open({ store, viewSource: reader });
  gaps = [];
  follower = new ChainFollower({ overlay, onGap: (gap) => gaps.push(gap) });
});
afterEach(async () => {
  reader.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const emit = async (...events: readonly ChainEvent[]): Promise<void> => {
  for (const event of events) await follower.take(event);
};

const block = (slot: Slot, blockhash: string, parent: Slot, parentBlockhash: string): ChainEvent[] => [
  { kind: "block", slot, parent, blockhash, parentBlockhash },
  { kind: "slot", slot, parent, status: "complete" },
];

const status = (slot: Slot, word: "confirmed" | "finalized" | "dead"): ChainEvent => ({
  kind: "slot",
  slot,
  parent: null,
  status: word,
});

const created = (slot: Slot, parent: Slot | null): ChainEvent => ({
  kind: "slot",
  slot,
  parent,
  status: "createdBank",
});

const write = (slot: Slot, number: number, lamports = 1n, writeVersion = number): Account => ({
  address: new Uint8Array(32).fill(number),
  programOwner: new Uint8Array(32),
  lamports,
  executable: false,
  rentEpoch: 0n,
  data: new Uint8Array(0),
  slot,
  writeVersion,
});

const account = (...args: Parameters<typeof write>): ChainEvent => ({
  kind: "account",
  account: write(...args),
});

/** A write of 1000 bytes. */
const large = (slot: Slot, number: number): ChainEvent => ({
  kind: "account",
  account: { ...write(slot, number, 1n, slot), data: new Uint8Array(1000) },
});

/** A slot of one such write, on the one before it. */
const whole = (slot: Slot): ChainEvent[] => [
  large(slot, 1),
  ...block(slot, `${slot}`, slot - 1, slot === 11 ? "root" : `${slot - 1}`),
];

/** Lamports of an account at the newest slot that is whole. */
const lamportsOf = async (number: number): Promise<bigint | undefined> => {
  const view = await overlay.openView("processed");
  const found = await view.read(reads.account(new Uint8Array(32).fill(number)));
  view.close();
  return found?.lamports;
};

describe("far behind", () => {
  test("more finalized slots than the overlay holds are finalized on the way, forks or no forks", async () => {
    overlay = await ForkOverlay.open({ store, viewSource: reader, slotsMax: 4 });
    follower = new ChainFollower({ overlay, onGap: (gap) => gaps.push(gap) });
    // Five forks fill the overlay before the first slot of the chain that lives.
    for (let slot = 11; slot <= 15; slot += 1) await emit(...block(slot, `fork ${slot}`, ROOT, "root"));
    let parent = { slot: ROOT, blockhash: "root" };
    for (let slot = 16; slot <= 40; slot += 1) {
      await emit(...block(slot, `block ${slot}`, parent.slot, parent.blockhash));
      parent = { slot, blockhash: `block ${slot}` };
    }
    expect(overlay.state.finalizedSlot).toBe(ROOT);
    expect(overlay.isStalled).toBe(true);
    await emit(status(38, "finalized"));
    expect(overlay.state).toMatchObject({ finalizedSlot: 38, processedSlot: 40 });
    expect(follower.state).toMatchObject({ gap: null, stagedSlots: 2 });
    expect(await store.readWatermark()).toEqual({ slot: 38, blockhash: "block 38" });
  });
});

describe("a slot that was reported as finalized, and lies further ahead than any chain goes", () => {
  test("is a gap until the next one is reported, and rooting goes on", async () => {
    await emit(...block(11, "eleven", ROOT, "root"), status(1_000_000_000, "finalized"));
    expect(follower.state.gap).toEqual({ finalizedSlot: ROOT, missing: 1_000_000_000 });
    await emit({ kind: "restart" }, status(11, "finalized"));
    expect(follower.state.gap).toBe(null);
    expect(overlay.state.finalizedSlot).toBe(11);
  });
});

describe("more than may be staged", () => {
  test("is given up as a whole: half a slot is never taken for a whole one", async () => {
    follower = new ChainFollower({ overlay, versionsMax: 3, onGap: (gap) => gaps.push(gap) });
    const slot11 = [1, 2, 3, 4, 5, 6, 7].map((number) => account(11, number));
    await emit(...slot11, ...block(11, "eleven", ROOT, "root"), status(11, "finalized"));
    expect(overlay.state).toMatchObject({ finalizedSlot: ROOT, processedSlot: ROOT });
    expect(gaps).toEqual([{ finalizedSlot: ROOT, missing: 11 }]);
    expect(follower.state).toMatchObject({
      overflows: 1,
      needsRestart: true,
      stagedVersions: 0,
      gap: gaps[0],
    });
    await emit({ kind: "restart" }, ...slot11.slice(0, 2), ...block(11, "eleven", ROOT, "root"));
    await emit(status(11, "finalized"));
    expect(overlay.state.finalizedSlot).toBe(11);
    expect(follower.state).toMatchObject({ gap: null, gaps: 1, needsRestart: false });
    expect(await store.readAccountPage(null, 10)).toHaveLength(2);
  });

  test("a few large accounts are too much as well", async () => {
    follower = new ChainFollower({ overlay, bytesMax: 3000, onGap: (gap) => gaps.push(gap) });
    await emit(large(11, 1), large(11, 2), large(11, 3), large(11, 1), ...block(11, "eleven", ROOT, "root"));
    expect(follower.state).toMatchObject({ overflows: 0, stagedBytes: 3000 });
    await emit(account(12, 1), { kind: "account", account: { ...write(12, 2), data: new Uint8Array(1) } });
    await emit(...block(12, "twelve", 13, "none"));
    expect(follower.state).toMatchObject({ overflows: 1, needsRestart: true, stagedBytes: 3000 });
    expect(gaps).toEqual([{ finalizedSlot: ROOT, missing: 12 }]);
  });

  test("is not derived either, while the root does not move: memory ends where it is reported to", async () => {
    follower = new ChainFollower({ overlay, bytesMax: 3000, onGap: (gap) => gaps.push(gap) });
    for (let slot = 11; slot <= 40; slot += 1) await emit(...whole(slot));
    expect(overlay.state).toMatchObject({ processedSlot: 13, unfinalizedBytes: 3000 });
    expect(follower.state).toMatchObject({ overflows: 1, needsRestart: true, stagedBytes: 3000 });
    expect(gaps).toEqual([{ finalizedSlot: ROOT, missing: 14 }]);
    // The finalized slot moves on with the next stream, and all that was given up comes again.
    await emit({ kind: "restart" }, status(13, "finalized"), ...whole(14), ...whole(15));
    expect(overlay.state).toMatchObject({ finalizedSlot: 13, processedSlot: 15, unfinalizedBytes: 2000 });
    expect(follower.state).toMatchObject({ gap: null, overflows: 1, needsRestart: false });
  });

  test("what comes again of slots that are derived is too much as well", async () => {
    follower = new ChainFollower({ overlay, bytesMax: 3000, onGap: (gap) => gaps.push(gap) });
    await emit(large(11, 1), large(11, 2), ...block(11, "eleven", ROOT, "root"));
    await emit({ kind: "restart" }, large(11, 1), large(11, 2), large(11, 3));
    expect(gaps).toEqual([{ finalizedSlot: ROOT, missing: 11 }]);
    expect(follower.state).toMatchObject({ stagedBytes: 2000, overflows: 1, needsRestart: true });
    expect(overlay.state.processedSlot).toBe(11);
  });

  test("transactions count with what they carry", async () => {
    follower = new ChainFollower({ overlay, bytesMax: 3000, onGap: (gap) => gaps.push(gap) });
    const instruction = {
      programAddress: new Uint8Array(32),
      accounts: [],
      data: new Uint8Array(968),
      stackHeight: 1,
    };
    const transaction = (signature: string): ChainEvent => ({
      kind: "transaction",
      transaction: {
        signature,
        slot: 11,
        index: 0,
        failed: true,
        groups: [{ outer: instruction, inner: [instruction] }],
      },
    });
    await emit(transaction("first"), transaction("first"));
    expect(follower.state).toMatchObject({ stagedBytes: 2000, overflows: 0 });
    await emit(transaction("second"), ...block(11, "eleven", ROOT, "root"));
    expect(follower.state).toMatchObject({ stagedBytes: 0, overflows: 1, needsRestart: true });
  });

  test("slots that never become whole are given up too", async () => {
    follower = new ChainFollower({ overlay, slotsMax: 2, onGap: (gap) => gaps.push(gap) });
    await emit(account(11, 1), account(12, 1), account(13, 1), ...block(14, "new", 13, "old"));
    expect(gaps).toEqual([{ finalizedSlot: ROOT, missing: 11 }]);
    expect(follower.state).toMatchObject({ stagedSlots: 0, overflows: 1, sourceSlot: 14 });
  });
});

describe("a stream that joins a running chain", () => {
  const finalizedTwelve = [...block(12, "twelve", 11, "eleven"), status(12, "finalized")];

  test("never takes the half of a slot that it heard for the whole", async () => {
    await emit({ kind: "restart", from: null }, account(11, 2), created(11, ROOT));
    await emit(...block(11, "eleven", ROOT, "root"), created(12, 11), ...finalizedTwelve);
    expect(overlay.state).toMatchObject({ finalizedSlot: ROOT, processedSlot: ROOT });
    expect(gaps).toEqual([{ finalizedSlot: ROOT, missing: 11 }]);
    const gap = { finalizedSlot: ROOT, through: 11, blockhash: "eleven", slot: 12, transactions: [] };
    const read = [1, 2].map((number) => account(12, number));
    const accounts = read.flatMap((event) => (event.kind === "account" ? [event.account] : []));
    expect(await follower.fillGap({ ...gap, accounts })).toBe(true);
    expect(await store.readAccountPage(null, 10)).toHaveLength(2);
    // Its descendants began later still.
    await emit(...block(13, "thirteen", 12, "twelve"), status(13, "finalized"));
    expect(overlay.state.finalizedSlot).toBe(13);
  });

  test("takes a slot for whole when its parent began before its eyes, in any order that is known", async () => {
    await emit({ kind: "restart", from: null }, created(11, null), account(12, 1), ...finalizedTwelve);
    expect(gaps).toEqual([{ finalizedSlot: ROOT, missing: 11 }]);
    await emit(account(11, 2), ...block(11, "eleven", ROOT, "root"));
    expect(overlay.state.finalizedSlot).toBe(12);
    expect(follower.state.gap).toBe(null);
    expect(await store.readAccountPage(null, 10)).toHaveLength(2);
  });

  test("trusts a replay only where it builds on what came before", async () => {
    // Asked for everything above the finalized slot, a server that does not know how begins with the newest.
    await emit({ kind: "restart", from: ROOT + 1 }, account(12, 1), ...finalizedTwelve);
    expect(overlay.state.finalizedSlot).toBe(ROOT);
    await emit({ kind: "restart", from: ROOT + 1 }, account(11, 2), ...block(11, "eleven", ROOT, "root"));
    // Replays have ended slots only: this one may have been running, and account 1 written before the stream began.
    gaps.length = 0;
    await emit(account(12, 3), ...finalizedTwelve);
    expect(overlay.state.finalizedSlot).toBe(ROOT);
    expect([...gaps, follower.state.gap]).toEqual([null]);
    await emit({ kind: "again", slots: [12] }, account(12, 1), account(12, 3), ...finalizedTwelve);
    expect(overlay.state.finalizedSlot).toBe(12);
    expect(follower.state.lateUpdates).toBe(0);
    expect(await store.readAccountPage(null, 10)).toHaveLength(3);
  });

  test("a slot that is not reported again, for as long as it should take, is a gap", async () => {
    await emit({ kind: "restart", from: ROOT + 1 }, account(11, 2), ...block(11, "eleven", ROOT, "root"));
    await emit(status(11, "finalized"), { kind: "slot", slot: 18, parent: null, status: "complete" });
    expect(gaps).toEqual([]);
    await emit({ kind: "slot", slot: 19, parent: null, status: "complete" });
    expect(gaps).toEqual([{ finalizedSlot: ROOT, missing: 11 }]);
  });

  test("takes a replayed slot for whole when one that builds on it began before the stream", async () => {
    await emit({ kind: "restart", from: ROOT + 1 }, account(11, 2), ...block(11, "eleven", ROOT, "root"));
    expect(overlay.has(11)).toBe(false);
    await emit(account(12, 1), ...block(12, "twelve", 11, "eleven"));
    expect([overlay.has(11), overlay.has(12)]).toEqual([true, false]);
  });
});

describe("two blocks of one slot", () => {
  test("what builds on the one that was not reported waits for it, and the gap names it", async () => {
    await emit(
      ...block(11, "first", ROOT, "root"),
      ...block(12, "child", 11, "other"),
      status(12, "confirmed"),
    );
    expect(overlay.state).toMatchObject({ processedSlot: 11, confirmedSlot: ROOT });
    expect(gaps).toEqual([{ finalizedSlot: ROOT, missing: 11 }]);
    await emit({ kind: "restart" }, ...block(11, "other", ROOT, "root"));
    expect(overlay.state).toMatchObject({ processedSlot: 12, confirmedSlot: 12 });
    expect(follower.state).toMatchObject({ gap: null, replacedSlots: 1 });
    await emit(status(12, "finalized"));
    expect(await store.readWatermark()).toEqual({ slot: 12, blockhash: "child" });
  });

  test("the one that died makes room for the other on the same stream", async () => {
    await emit(...block(11, "first", ROOT, "root"), status(11, "dead"), ...block(11, "other", ROOT, "root"));
    expect(overlay.blockhashOf(11)).toBe("other");
    expect(follower.state.deadSlots).toBe(1);
  });

  test("a block that stands next to the finalized slot is a gap, and nothing is finalized", async () => {
    await emit(...block(11, "first", ROOT, "elsewhere"), status(11, "finalized"));
    expect(overlay.state.finalizedSlot).toBe(ROOT);
    expect(gaps).toEqual([{ finalizedSlot: ROOT, missing: ROOT }]);
  });
});

describe("updates that come after the end of their slot", () => {
  test("make it again with all that builds on it, where they say anything new", async () => {
    await emit(account(11, 1, 5n, 70), ...block(11, "eleven", ROOT, "root"));
    await emit(account(12, 2, 6n, 80), ...block(12, "twelve", 11, "eleven"), status(12, "confirmed"));
    await emit(account(11, 1, 4n, 69), account(11, 1, 5n, 70));
    expect(follower.state).toMatchObject({ lateUpdates: 2, replacedSlots: 0 });
    expect(overlay.state).toMatchObject({ processedSlot: 12, confirmedSlot: 12 });
    await emit(account(11, 1, 7n, 71), account(11, 3, 8n, 72));
    // Readers see the same state until the whole branch is derived again.
    expect(overlay.state).toMatchObject({ processedSlot: 12, confirmedSlot: 12, droppedSlots: 0 });
    expect(await Promise.all([1, 2, 3].map(lamportsOf))).toEqual([5n, 6n, undefined]);
    await emit(...block(13, "thirteen", 12, "twelve"));
    expect(overlay.state).toMatchObject({ processedSlot: 13, confirmedSlot: 12 });
    expect(await Promise.all([1, 2, 3].map(lamportsOf))).toEqual([7n, 6n, 8n]);
    expect(follower.state).toMatchObject({ lateUpdates: 4, replacedSlots: 1, gap: null });
    await emit(status(13, "finalized"));
    expect(await store.readAccountPage(null, 10)).toHaveLength(3);
  });

  test("belong to a slot that waits for proof too", async () => {
    await emit({ kind: "restart", from: null }, created(11, null), ...block(12, "twelve", 11, "eleven"));
    await emit(account(12, 1, 5n, 70), ...block(11, "eleven", ROOT, "root"));
    expect(overlay.state.processedSlot).toBe(12);
    expect(await lamportsOf(1)).toBe(5n);
  });

  test("of a finalized slot are counted, and change nothing", async () => {
    await emit(account(11, 1, 5n, 70), ...block(11, "eleven", ROOT, "root"), status(11, "finalized"));
    await emit(account(11, 1, 6n, 71), ...block(12, "twelve", 11, "eleven"));
    expect(await lamportsOf(1)).toBe(5n);
    expect(follower.state.lateUpdates).toBe(1);
  });

  test("of a slot taken over wait for its descendants, as far as it is confirmed", async () => {
    for (const [slot, parent] of [
      [11, ROOT],
      [12, 11],
      [13, 12],
    ] as const)
      await overlay.add({ slot, parent, blockhash: `${slot}`, accounts: [], transactions: [] });
    overlay.confirm(12);
    await emit(...block(11, "11", ROOT, "root"), account(11, 1, 5n, 70), status(12, "finalized"));
    expect(overlay.state).toMatchObject({ finalizedSlot: ROOT, confirmedSlot: 12, processedSlot: 13 });
    expect(await lamportsOf(1)).toBe(undefined);
    await emit(...block(12, "12", 11, "11"));
    expect(overlay.state).toMatchObject({ finalizedSlot: 12, confirmedSlot: 12, processedSlot: 12 });
    expect(await lamportsOf(1)).toBe(5n);
  });

  test("that a stream has lost are in what the next one reports of the same block", async () => {
    await emit(account(11, 1, 5n, 70), ...block(11, "eleven", ROOT, "root"));
    await emit({ kind: "restart" }, account(11, 1, 5n, 9), account(11, 2, 6n, 8));
    await emit(...block(11, "eleven", ROOT, "root"));
    expect(await Promise.all([1, 2].map(lamportsOf))).toEqual([5n, 6n]);
    // The order of writes is that of the stream which reports them.
    await emit(account(11, 1, 7n, 10), ...block(12, "twelve", 11, "eleven"));
    expect(await lamportsOf(1)).toBe(7n);
  });

  test("that a stream has lost are noticed where they only wrote what was written before", async () => {
    await emit(account(11, 1, 5n, 70), ...block(11, "eleven", ROOT, "root"));
    await emit({ kind: "restart" }, account(11, 1, 5n, 9), account(11, 1, 6n, 10));
    await emit(...block(11, "eleven", ROOT, "root"));
    expect(await lamportsOf(1)).toBe(6n);
  });
});

describe("a slot that dies", () => {
  test("though it was confirmed, is missing; what it built on stays confirmed", async () => {
    await emit(...block(11, "eleven", ROOT, "root"), ...block(12, "twelve", 11, "eleven"));
    await emit(...block(13, "thirteen", 12, "twelve"), status(13, "confirmed"), status(13, "dead"));
    expect(overlay.state).toMatchObject({ processedSlot: 12, confirmedSlot: 12 });
    await emit(...block(14, "fourteen", 13, "other"), status(14, "confirmed"));
    expect(overlay.state).toMatchObject({ processedSlot: 12, confirmedSlot: 12, finalizedSlot: ROOT });
    expect(gaps).toEqual([{ finalizedSlot: ROOT, missing: 13 }]);
    await emit(...block(13, "other", 12, "twelve"));
    expect(overlay.state).toMatchObject({ processedSlot: 14, confirmedSlot: 14 });
    expect(follower.state.gap).toBe(null);
  });
});
