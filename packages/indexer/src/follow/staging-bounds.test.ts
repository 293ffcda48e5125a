// Tests of a follower that receives more than it may keep of slots that are not derived.

import type { ChainEvent, Slot } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import {
  account,
  block,
  emit,
  follower,
  gaps,
  openFollower,
  overlay,
  ROOT_SLOT,
  status,
  store,
  useFork,
  write,
} from "../../test/followed-fork.ts";

useFork();

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

describe("more than may be staged", () => {
  test("is given up as a whole: half a slot is never taken for a whole one", async () => {
    openFollower({ versionsMax: 3 });
    const slot11 = [1, 2, 3, 4, 5, 6, 7].map((number) => account(11, number));
    await emit(...slot11, ...block(11, "eleven", ROOT_SLOT, "root"), status(11, "finalized"));
    expect(overlay.state).toMatchObject({ finalizedSlot: ROOT_SLOT, processedSlot: ROOT_SLOT });
    expect(gaps).toEqual([{ finalizedSlot: ROOT_SLOT, missing: 11 }]);
    expect(follower.state).toMatchObject({
      overflows: 1,
      needsRestart: true,
      stagedVersions: 0,
      gap: gaps[0],
    });
    await emit({ kind: "restart" }, ...slot11.slice(0, 2), ...block(11, "eleven", ROOT_SLOT, "root"));
    await emit(status(11, "finalized"));
    expect(overlay.state.finalizedSlot).toBe(11);
    expect(follower.state).toMatchObject({ gap: null, gaps: 1, needsRestart: false });
    expect(await store.readAccountPage(null, 10)).toHaveLength(2);
  });

  test("a few large accounts are too much as well", async () => {
    openFollower({ bytesMax: 3000 });
    await emit(
      large(11, 1),
      large(11, 2),
      large(11, 3),
      large(11, 1),
      ...block(11, "eleven", ROOT_SLOT, "root"),
    );
    expect(follower.state).toMatchObject({ overflows: 0, stagedBytes: 3000 });
    await emit(account(12, 1), { kind: "account", account: { ...write(12, 2), data: new Uint8Array(1) } });
    await emit(...block(12, "twelve", 13, "none"));
    expect(follower.state).toMatchObject({ overflows: 1, needsRestart: true, stagedBytes: 3000 });
    expect(gaps).toEqual([{ finalizedSlot: ROOT_SLOT, missing: 12 }]);
  });

  test("is not derived either, while the root does not move: memory ends where it is reported to", async () => {
    openFollower({ bytesMax: 3000 });
    for (let slot = 11; slot <= 40; slot += 1) await emit(...whole(slot));
    expect(overlay.state).toMatchObject({ processedSlot: 13, unfinalizedBytes: 3000 });
    expect(follower.state).toMatchObject({ overflows: 1, needsRestart: true, stagedBytes: 3000 });
    expect(gaps).toEqual([{ finalizedSlot: ROOT_SLOT, missing: 14 }]);
    // The finalized slot moves on with the next stream, and all that was given up comes again.
    await emit({ kind: "restart" }, status(13, "finalized"), ...whole(14), ...whole(15));
    expect(overlay.state).toMatchObject({ finalizedSlot: 13, processedSlot: 15, unfinalizedBytes: 2000 });
    expect(follower.state).toMatchObject({ gap: null, overflows: 1, needsRestart: false });
  });

  test("what comes again of slots that are derived is too much as well", async () => {
    openFollower({ bytesMax: 3000 });
    await emit(large(11, 1), large(11, 2), ...block(11, "eleven", ROOT_SLOT, "root"));
    await emit({ kind: "restart" }, large(11, 1), large(11, 2), large(11, 3));
    expect(gaps).toEqual([{ finalizedSlot: ROOT_SLOT, missing: 11 }]);
    expect(follower.state).toMatchObject({ stagedBytes: 2000, overflows: 1, needsRestart: true });
    expect(overlay.state.processedSlot).toBe(11);
  });

  test("transactions count with what they carry", async () => {
    openFollower({ bytesMax: 3000 });
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
    await emit(transaction("second"), ...block(11, "eleven", ROOT_SLOT, "root"));
    expect(follower.state).toMatchObject({ stagedBytes: 0, overflows: 1, needsRestart: true });
  });

  test("slots that never become whole are given up too", async () => {
    openFollower({ slotsMax: 2 });
    await emit(account(11, 1), account(12, 1), account(13, 1), ...block(14, "new", 13, "old"));
    expect(gaps).toEqual([{ finalizedSlot: ROOT_SLOT, missing: 11 }]);
    expect(follower.state).toMatchObject({ stagedSlots: 0, overflows: 1, sourceSlot: 14 });
  });
});
