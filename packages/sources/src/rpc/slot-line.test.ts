import { describe, expect, test } from "vitest";
import { openSlotsMax } from "./limits.ts";
import { PendingSlots } from "./pending-slots.ts";
import { SlotLine } from "./slot-line.ts";

const pendingAt = (...slots: readonly number[]): PendingSlots => {
  const pending = new PendingSlots();
  for (const slot of slots) {
    pending.addTransaction({ signature: `s${slot}`, slot, index: null, failed: false, groups: [] });
  }
  return pending;
};

describe("SlotLine", () => {
  test("a slot is complete once a later one is reported, and only after everything was read", () => {
    const line = new SlotLine(10);
    for (const slot of [12, 13, 15]) line.receive(slot);
    expect(line.next(pendingAt(), Infinity)).toBe(null);
    line.read(13);
    expect(line.next(pendingAt(), Infinity)).toBe(13);
    expect(line.complete).toBe(13);
  });

  test("nothing is reported below what was read, and every slot that holds something is reported", () => {
    const line = new SlotLine(10);
    for (const slot of [12, 13, 15, 16]) line.receive(slot);
    line.read(13);
    const pending = pendingAt(11, 13, 14);
    const reported: (number | null)[] = [];
    for (;;) {
      const slot = line.next(pending, Infinity);
      reported.push(slot);
      if (slot === null) break;
      pending.take(slot);
      line.noteReported(slot);
    }
    expect(reported).toEqual([13, 14, 15, null]);
  });

  test("a ceiling holds back to a slot that is a block", () => {
    const line = new SlotLine(10);
    line.read(10);
    for (const slot of [12, 15, 20]) line.receive(slot);
    expect(line.next(pendingAt(), 14)).toBe(12);
    expect(line.next(pendingAt(), 11)).toBe(null);
  });

  test("what is heard again or late changes nothing", () => {
    const line = new SlotLine(10);
    line.read(10);
    for (const slot of [12, 15, 12, 15, 11]) line.receive(slot);
    expect([line.received, line.complete]).toEqual([15, 12]);
  });

  test("a new connection reports nothing before it has read", () => {
    const line = new SlotLine(10);
    line.read(10);
    for (const slot of [12, 15]) line.receive(slot);
    line.restart();
    for (const slot of [20, 21]) line.receive(slot);
    expect(line.next(pendingAt(14), Infinity)).toBe(null);
    line.read(20);
    expect(line.next(pendingAt(14), Infinity)).toBe(20);
  });

  test("what is at or below the finalized slot can be final", () => {
    const line = new SlotLine(10);
    for (const slot of [12, 13, 14]) line.noteReported(slot);
    expect(line.finalizable(13)).toEqual([12, 13]);
    line.noteFinal(12);
    expect(line.finalizable(13)).toEqual([13]);
    expect([line.emitted, line.finalized, line.openSlots]).toEqual([14, 12, 2]);
  });

  test("it reports no more than may be open", () => {
    const line = new SlotLine(0);
    line.read(0);
    for (let slot = 1; slot <= openSlotsMax; slot += 1) line.noteReported(slot);
    for (const slot of [openSlotsMax + 1, openSlotsMax + 2]) line.receive(slot);
    expect(line.next(pendingAt(), Infinity)).toBe(null);
    line.noteFinal(1);
    expect(line.next(pendingAt(), Infinity)).toBe(openSlotsMax + 1);
  });
});
