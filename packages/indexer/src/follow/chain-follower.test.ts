import { describe, expect, test } from "vitest";
import {
  account,
  block,
  created,
  emit,
  follower,
  gaps,
  lamportsOf,
  openFork,
  overlay,
  ROOT_SLOT,
  status,
  store,
  useFork,
} from "../../test/followed-fork.ts";

useFork();

describe("far behind", () => {
  test("more finalized slots than the overlay holds are finalized on the way, forks or no forks", async () => {
    await openFork({ slotsMax: 4 });
    // Five forks fill the overlay before the first slot of the chain that lives.
    for (let slot = 11; slot <= 15; slot += 1) await emit(...block(slot, `fork ${slot}`, ROOT_SLOT, "root"));
    let parent = { slot: ROOT_SLOT, blockhash: "root" };
    for (let slot = 16; slot <= 40; slot += 1) {
      await emit(...block(slot, `block ${slot}`, parent.slot, parent.blockhash));
      parent = { slot, blockhash: `block ${slot}` };
    }
    expect(overlay.state.finalizedSlot).toBe(ROOT_SLOT);
    expect(overlay.isStalled).toBe(true);
    await emit(status(38, "finalized"));
    expect(overlay.state).toMatchObject({ finalizedSlot: 38, processedSlot: 40 });
    expect(follower.state).toMatchObject({ gap: null, stagedSlots: 2 });
    expect(await store.readWatermark()).toEqual({ slot: 38, blockhash: "block 38" });
  });
});

describe("a slot that was reported as finalized, and lies further ahead than any chain goes", () => {
  test("is a gap until the next one is reported, and rooting goes on", async () => {
    await emit(...block(11, "eleven", ROOT_SLOT, "root"), status(1_000_000_000, "finalized"));
    expect(follower.state.gap).toEqual({ finalizedSlot: ROOT_SLOT, missing: 1_000_000_000 });
    await emit({ kind: "restart" }, status(11, "finalized"));
    expect(follower.state.gap).toBe(null);
    expect(overlay.state.finalizedSlot).toBe(11);
  });
});

describe("a stream that joins a running chain", () => {
  const finalizedTwelve = [...block(12, "twelve", 11, "eleven"), status(12, "finalized")];

  test("never takes the half of a slot that it heard for the whole", async () => {
    await emit({ kind: "restart", from: null }, account(11, 2), created(11, ROOT_SLOT));
    await emit(...block(11, "eleven", ROOT_SLOT, "root"), created(12, 11), ...finalizedTwelve);
    expect(overlay.state).toMatchObject({ finalizedSlot: ROOT_SLOT, processedSlot: ROOT_SLOT });
    expect(gaps).toEqual([{ finalizedSlot: ROOT_SLOT, missing: 11 }]);
    const gap = { finalizedSlot: ROOT_SLOT, through: 11, blockhash: "eleven", slot: 12, transactions: [] };
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
    expect(gaps).toEqual([{ finalizedSlot: ROOT_SLOT, missing: 11 }]);
    await emit(account(11, 2), ...block(11, "eleven", ROOT_SLOT, "root"));
    expect(overlay.state.finalizedSlot).toBe(12);
    expect(follower.state.gap).toBe(null);
    expect(await store.readAccountPage(null, 10)).toHaveLength(2);
  });

  test("trusts a replay only where it builds on what came before", async () => {
    // Asked for everything above the finalized slot, a server that does not know how begins with the newest.
    await emit({ kind: "restart", from: ROOT_SLOT + 1 }, account(12, 1), ...finalizedTwelve);
    expect(overlay.state.finalizedSlot).toBe(ROOT_SLOT);
    await emit(
      { kind: "restart", from: ROOT_SLOT + 1 },
      account(11, 2),
      ...block(11, "eleven", ROOT_SLOT, "root"),
    );
    // Replays have ended slots only: this one may have been running, and account 1 written before the stream began.
    gaps.length = 0;
    await emit(account(12, 3), ...finalizedTwelve);
    expect(overlay.state.finalizedSlot).toBe(ROOT_SLOT);
    expect([...gaps, follower.state.gap]).toEqual([null]);
    await emit({ kind: "again", slots: [12] }, account(12, 1), account(12, 3), ...finalizedTwelve);
    expect(overlay.state.finalizedSlot).toBe(12);
    expect(follower.state.lateUpdates).toBe(0);
    expect(await store.readAccountPage(null, 10)).toHaveLength(3);
  });

  test("a slot that is not reported again, for as long as it should take, is a gap", async () => {
    await emit(
      { kind: "restart", from: ROOT_SLOT + 1 },
      account(11, 2),
      ...block(11, "eleven", ROOT_SLOT, "root"),
    );
    await emit(status(11, "finalized"), { kind: "slot", slot: 18, parent: null, status: "complete" });
    expect(gaps).toEqual([]);
    await emit({ kind: "slot", slot: 19, parent: null, status: "complete" });
    expect(gaps).toEqual([{ finalizedSlot: ROOT_SLOT, missing: 11 }]);
  });

  test("takes a replayed slot for whole when one that builds on it began before the stream", async () => {
    await emit(
      { kind: "restart", from: ROOT_SLOT + 1 },
      account(11, 2),
      ...block(11, "eleven", ROOT_SLOT, "root"),
    );
    expect(overlay.has(11)).toBe(false);
    await emit(account(12, 1), ...block(12, "twelve", 11, "eleven"));
    expect([overlay.has(11), overlay.has(12)]).toEqual([true, false]);
  });
});

describe("two blocks of one slot", () => {
  test("what builds on the one that was not reported waits for it, and the gap names it", async () => {
    await emit(
      ...block(11, "first", ROOT_SLOT, "root"),
      ...block(12, "child", 11, "other"),
      status(12, "confirmed"),
    );
    expect(overlay.state).toMatchObject({ processedSlot: 11, confirmedSlot: ROOT_SLOT });
    expect(gaps).toEqual([{ finalizedSlot: ROOT_SLOT, missing: 11 }]);
    await emit({ kind: "restart" }, ...block(11, "other", ROOT_SLOT, "root"));
    expect(overlay.state).toMatchObject({ processedSlot: 12, confirmedSlot: 12 });
    expect(follower.state).toMatchObject({ gap: null, replacedSlots: 1 });
    await emit(status(12, "finalized"));
    expect(await store.readWatermark()).toEqual({ slot: 12, blockhash: "child" });
  });

  test("the one that died makes room for the other on the same stream", async () => {
    await emit(
      ...block(11, "first", ROOT_SLOT, "root"),
      status(11, "dead"),
      ...block(11, "other", ROOT_SLOT, "root"),
    );
    expect(overlay.blockhashOf(11)).toBe("other");
    expect(follower.state.deadSlots).toBe(1);
  });

  test("a block that stands next to the finalized slot is a gap, and nothing is finalized", async () => {
    await emit(...block(11, "first", ROOT_SLOT, "elsewhere"), status(11, "finalized"));
    expect(overlay.state.finalizedSlot).toBe(ROOT_SLOT);
    expect(gaps).toEqual([{ finalizedSlot: ROOT_SLOT, missing: ROOT_SLOT }]);
  });
});

describe("updates that come after the end of their slot", () => {
  test("make it again with all that builds on it, where they say anything new", async () => {
    await emit(account(11, 1, 5n, 70), ...block(11, "eleven", ROOT_SLOT, "root"));
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
    await emit(account(12, 1, 5n, 70), ...block(11, "eleven", ROOT_SLOT, "root"));
    expect(overlay.state.processedSlot).toBe(12);
    expect(await lamportsOf(1)).toBe(5n);
  });

  test("of a finalized slot are counted, and change nothing", async () => {
    await emit(account(11, 1, 5n, 70), ...block(11, "eleven", ROOT_SLOT, "root"), status(11, "finalized"));
    await emit(account(11, 1, 6n, 71), ...block(12, "twelve", 11, "eleven"));
    expect(await lamportsOf(1)).toBe(5n);
    expect(follower.state.lateUpdates).toBe(1);
  });

  test("of a slot taken over wait for its descendants, as far as it is confirmed", async () => {
    for (const [slot, parent] of [
      [11, ROOT_SLOT],
      [12, 11],
      [13, 12],
    ] as const)
      await overlay.add({ slot, parent, blockhash: `${slot}`, accounts: [], transactions: [] });
    overlay.confirm(12);
    await emit(...block(11, "11", ROOT_SLOT, "root"), account(11, 1, 5n, 70), status(12, "finalized"));
    expect(overlay.state).toMatchObject({ finalizedSlot: ROOT_SLOT, confirmedSlot: 12, processedSlot: 13 });
    expect(await lamportsOf(1)).toBe(undefined);
    await emit(...block(12, "12", 11, "11"));
    expect(overlay.state).toMatchObject({ finalizedSlot: 12, confirmedSlot: 12, processedSlot: 12 });
    expect(await lamportsOf(1)).toBe(5n);
  });

  test("that a stream has lost are in what the next one reports of the same block", async () => {
    await emit(account(11, 1, 5n, 70), ...block(11, "eleven", ROOT_SLOT, "root"));
    await emit({ kind: "restart" }, account(11, 1, 5n, 9), account(11, 2, 6n, 8));
    await emit(...block(11, "eleven", ROOT_SLOT, "root"));
    expect(await Promise.all([1, 2].map(lamportsOf))).toEqual([5n, 6n]);
    // The order of writes is that of the stream which reports them.
    await emit(account(11, 1, 7n, 10), ...block(12, "twelve", 11, "eleven"));
    expect(await lamportsOf(1)).toBe(7n);
  });

  test("that a stream has lost are noticed where they only wrote what was written before", async () => {
    await emit(account(11, 1, 5n, 70), ...block(11, "eleven", ROOT_SLOT, "root"));
    await emit({ kind: "restart" }, account(11, 1, 5n, 9), account(11, 1, 6n, 10));
    await emit(...block(11, "eleven", ROOT_SLOT, "root"));
    expect(await lamportsOf(1)).toBe(6n);
  });
});

describe("a slot that dies", () => {
  test("though it was confirmed, is missing; what it built on stays confirmed", async () => {
    await emit(...block(11, "eleven", ROOT_SLOT, "root"), ...block(12, "twelve", 11, "eleven"));
    await emit(...block(13, "thirteen", 12, "twelve"), status(13, "confirmed"), status(13, "dead"));
    expect(overlay.state).toMatchObject({ processedSlot: 12, confirmedSlot: 12 });
    await emit(...block(14, "fourteen", 13, "other"), status(14, "confirmed"));
    expect(overlay.state).toMatchObject({ processedSlot: 12, confirmedSlot: 12, finalizedSlot: ROOT_SLOT });
    expect(gaps).toEqual([{ finalizedSlot: ROOT_SLOT, missing: 13 }]);
    await emit(...block(13, "other", 12, "twelve"));
    expect(overlay.state).toMatchObject({ processedSlot: 14, confirmedSlot: 14 });
    expect(follower.state.gap).toBe(null);
  });
});
