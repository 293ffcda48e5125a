// Finality stands still while slots go on, as when a cluster changes its consensus: for a bounded time every commitment is
// answered, then `finalized` only, and the next finalized slot ends it.

import { type Commitment, type Slot, reads } from "@lamplight/core";
import { beforeEach, describe, expect, test } from "vitest";
import { type BankNames, BankScript, bankNames, write } from "../../test/bank-recipes.ts";
import { emit, follower, openFork, overlay, ROOT_SLOT, store, useFork } from "../../test/followed-fork.ts";
import { STANDSTILL_SECONDS_MAX } from "../overlay/limits.ts";

const SLOT_MS = 400;

let nowMs: number;

useFork(() => [write(ROOT_SLOT, 2, 100n)]);
beforeEach(async () => {
  nowMs = 0;
  await openFork({ now: () => nowMs });
  await emit({ kind: "restart", from: null });
});

/** Complete slots, one on the other, each of which writes account 1; one every 400 ms. */
const makeSlots = async (names: BankNames, mark: string, from: Slot, count: number): Promise<BankScript> => {
  for (let slot = from; ; slot += 1) {
    nowMs += SLOT_MS;
    const bank = new BankScript(names, BigInt(nowMs), slot, slot - 1);
    const parent = slot === ROOT_SLOT + 1 ? "root" : `${mark}${slot - 1}`;
    await emit(bank.created(), bank.writes(1, BigInt(slot)), bank.block(`${mark}${slot}`, parent));
    await emit(bank.complete());
    if (slot === from + count - 1) return bank;
  }
};

const answerAt = async (commitment: Commitment): Promise<readonly [Slot, bigint | undefined] | string> => {
  try {
    const view = await overlay.openView(commitment);
    const found = await view.read(reads.account(new Uint8Array(32).fill(1)));
    view.close();
    return [view.slot, found?.lamports];
  } catch (error) {
    return (error as { code: string }).code;
  }
};

const SLOTS_IN_TIME = (STANDSTILL_SECONDS_MAX * 1000) / SLOT_MS;

describe.each(bankNames)("where %s of the messages name the bank", (names) => {
  test("a cluster changes its consensus: all slots above the last finalized one are made again", async () => {
    await makeSlots(names, "old", ROOT_SLOT + 1, SLOTS_IN_TIME - 1);
    const newest = ROOT_SLOT + SLOTS_IN_TIME - 1;
    expect(await answerAt("processed")).toEqual([newest, BigInt(newest)]);
    await makeSlots(names, "old", newest + 1, 3);
    for (const commitment of ["processed", "confirmed"] as const)
      expect(await answerAt(commitment)).toBe("CHAIN__FINALITY_STALLED");
    expect(await answerAt("finalized")).toEqual([ROOT_SLOT, undefined]);
    // The node has cleared everything above the root, and says nothing of that.
    const last = await makeSlots(names, "new", ROOT_SLOT + 1, 5);
    expect(await answerAt("finalized")).toEqual([ROOT_SLOT, undefined]);
    await emit(last.confirmed(), last.finalized());
    expect(overlay.state).toMatchObject({ finalizedSlot: 15, confirmedSlot: 15, processedSlot: 15 });
    for (const commitment of ["processed", "confirmed", "finalized"] as const)
      expect(await answerAt(commitment)).toEqual([15, 15n]);
    expect(await store.readWatermark()).toEqual({ slot: 15, blockhash: "new15" });
    expect(follower.state).toMatchObject({ gap: null, overflows: 0 });
  });
});

test("beyond the bound, the slots that wait are finalized all at once", async () => {
  const last = await makeSlots("none", "", ROOT_SLOT + 1, SLOTS_IN_TIME + 20);
  expect(overlay.isStalled).toBe(true);
  await emit(last.finalized());
  const finalizedSlot = ROOT_SLOT + SLOTS_IN_TIME + 20;
  expect(overlay.state).toMatchObject({ finalizedSlot, processedSlot: finalizedSlot, standstillSeconds: 0 });
  expect(follower.state).toMatchObject({ gap: null, stagedSlots: 0 });
});

test("while slots go on to fill a bound, finalized moves on, and the rest is answered once they are finalized", async () => {
  const [versionsMax, lag] = [20, 32];
  await openFork({ now: () => nowMs, versionsMax });
  await emit({ kind: "restart", from: null });
  const banks: BankScript[] = [];
  for (let slot = ROOT_SLOT + 1; slot <= ROOT_SLOT + 3 * lag; slot += 1) {
    const bank = await makeSlots("none", "", slot, 1);
    banks.push(bank);
    await emit(bank.confirmed());
    const old = banks[banks.length - 1 - lag];
    if (old === undefined) continue;
    await emit(old.finalized());
    // The room is full again at once: slots that wait are derived.
    expect(overlay.state).toMatchObject({ finalizedSlot: slot - lag, unfinalizedVersions: versionsMax });
    expect(await answerAt("confirmed")).toBe("CHAIN__FINALITY_STALLED");
    expect(await answerAt("finalized")).toEqual([slot - lag, BigInt(slot - lag)]);
  }
  const newest = ROOT_SLOT + 3 * lag;
  await emit(banks.at(-versionsMax)!.finalized(), banks.at(-1)!.confirmed());
  expect(await answerAt("confirmed")).toEqual([newest, BigInt(newest)]);
  expect(follower.state).toMatchObject({ gap: null, overflows: 0 });
});

test("300 slots without finality are answered, and finalized all at once", async () => {
  const last = await makeSlots("none", "", ROOT_SLOT + 1, 300);
  expect(await answerAt("confirmed")).toEqual([ROOT_SLOT, undefined]);
  expect(await answerAt("processed")).toEqual([310, 310n]);
  await emit(last.confirmed(), last.finalized());
  expect(overlay.state).toMatchObject({ finalizedSlot: 310, processedSlot: 310 });
});

test("a source that is silent for long is no standstill", async () => {
  await makeSlots("none", "", ROOT_SLOT + 1, 5);
  nowMs += 3_600_000;
  await makeSlots("none", "", ROOT_SLOT + 6, 5);
  expect(overlay.state.standstillSeconds).toBeLessThan(STANDSTILL_SECONDS_MAX / 10);
  expect(await answerAt("processed")).toEqual([20, 20n]);
});
