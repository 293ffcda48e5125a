import { describe, expect, test } from "vitest";
import { OPEN_SLOTS_MAX, SLOT_JUMPS_MAX } from "./limits.ts";
import { PendingSlots } from "./pending-slots.ts";
import { SlotLine } from "./slot-line.ts";

const pendingAt = (...slots: readonly number[]): PendingSlots => {
  const pending = new PendingSlots();
  for (const slot of slots) {
    pending.addTransaction({ signature: `s${slot}`, slot, index: null, failed: false, groups: [] });
  }
  return pending;
};

/** Each is the child of the one before. */
const receive = (line: SlotLine, slots: readonly number[]): void => {
  for (const slot of slots) line.receive(slot, line.received);
};

describe("SlotLine", () => {
  test("a slot is complete once a later one is reported, and only after everything was read", () => {
    const line = new SlotLine(10);
    receive(line, [12, 13, 15]);
    expect(line.next(pendingAt(), Infinity)).toBe(null);
    line.read(13, 13);
    expect(line.next(pendingAt(), Infinity)).toBe(13);
    expect(line.complete).toBe(13);
  });

  test("nothing is reported below what was read, and every slot that holds something is reported", () => {
    const line = new SlotLine(10);
    receive(line, [12, 13, 15, 16]);
    line.read(13, 13);
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
    line.read(10, 10);
    receive(line, [12, 15, 20]);
    expect(line.next(pendingAt(), 14)).toBe(12);
    expect(line.next(pendingAt(), 11)).toBe(null);
  });

  test("what is heard again or late changes nothing", () => {
    const line = new SlotLine(10);
    line.read(10, 10);
    receive(line, [12, 15, 12, 15, 11]);
    expect([line.received, line.complete]).toEqual([15, 12]);
  });

  test("a new connection reports nothing before it has read", () => {
    const line = new SlotLine(10);
    line.read(10, 10);
    receive(line, [12, 15]);
    line.restart();
    receive(line, [20, 21]);
    expect(line.next(pendingAt(14), Infinity)).toBe(null);
    line.read(20, 20);
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
    line.read(0, 0);
    for (let slot = 1; slot <= OPEN_SLOTS_MAX; slot += 1) line.noteReported(slot);
    receive(line, [OPEN_SLOTS_MAX + 1, OPEN_SLOTS_MAX + 2]);
    expect(line.next(pendingAt(), Infinity)).toBe(null);
    line.noteFinal(1);
    expect(line.next(pendingAt(), Infinity)).toBe(OPEN_SLOTS_MAX + 1);
  });

  test("from the slot before a jump on nothing is reported until it is known what lies between", () => {
    const line = new SlotLine(10);
    line.read(10, 10);
    receive(line, [100, 101]);
    const jump = line.receive(103, null)!;
    receive(line, [104]);
    expect([jump.from, jump.to]).toEqual([101, 103]);
    expect(line.next(pendingAt(101), Infinity)).toBe(100);
    expect(line.hasMissed).toBe(false);
    line.settle(jump, false);
    expect(line.next(pendingAt(), Infinity)).toBe(103);
  });

  test("a missed slot is reported once everything was read at later slots, and with nothing below these", () => {
    const line = new SlotLine(10);
    line.read(10, 10);
    receive(line, [100, 101]);
    line.settle(line.receive(103, 102)!, true);
    receive(line, [104]);
    expect([line.hasMissed, line.readFrom]).toEqual([true, 104]);
    line.read(102, 105);
    expect(line.next(pendingAt(), Infinity)).toBe(100);
    line.read(104, 105);
    expect(line.next(pendingAt(101, 103), Infinity)).toBe(null);
    receive(line, [105, 106]);
    expect(line.next(pendingAt(101, 103), Infinity)).toBe(105);
  });

  test("a slot that is missed while everything is read waits for the next reading", () => {
    const line = new SlotLine(10);
    line.read(10, 10);
    receive(line, [100, 101]);
    line.settle(line.receive(103, null)!, true);
    receive(line, [104, 105]);
    line.settle(line.receive(107, null)!, true);
    receive(line, [108]);
    line.read(103, 106);
    expect([line.hasMissed, line.next(pendingAt(), Infinity)]).toEqual([true, null]);
    line.read(108, 108);
    receive(line, [109]);
    expect([line.hasMissed, line.next(pendingAt(), Infinity)]).toEqual([false, 108]);
  });

  test("beyond the bound of jumps the last ones are one, which counts as missed", () => {
    const line = new SlotLine(10);
    line.read(10, 10);
    for (let jump = 0; jump <= SLOT_JUMPS_MAX + 5; jump += 1) line.receive(100 + 2 * jump, null);
    const last = 100 + 2 * (SLOT_JUMPS_MAX + 5);
    expect(line.hasMissed).toBe(true);
    expect(line.next(pendingAt(), Infinity)).toBe(null);
    line.read(last, last);
    receive(line, [last + 1]);
    expect(line.next(pendingAt(), Infinity)).toBe(last);
  });
});
