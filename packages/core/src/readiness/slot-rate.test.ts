import { describe, expect, test } from "vitest";
import { SLOTS_PER_SECOND_FIRST, SlotRate } from "./slot-rate.ts";

/** Notes a chain once a second. @returns its slot and time at the end */
const run = (
  rate: SlotRate,
  perSecond: number,
  seconds: number,
  { slot, ms } = { slot: 1000, ms: 0 },
): { readonly slot: number; readonly ms: number } => {
  for (let second = 0; second <= seconds; second += 1)
    rate.note(slot + Math.floor(second * perSecond), ms + second * 1000);
  return { slot: slot + Math.floor(seconds * perSecond), ms: ms + seconds * 1000 };
};

describe("SlotRate", () => {
  test("begins with the rate of 400 ms a slot", () => {
    const rate = new SlotRate();
    rate.note(null, 0);
    expect(rate.perSecond).toBe(SLOTS_PER_SECOND_FIRST);
    expect([rate.slotsIn(60), rate.slotsIn(0.8), rate.slotsIn(0.01)]).toEqual([150, 2, 1]);
  });

  test.each([2.857, 3.333, 4, 5])("measures %s slots a second within a minute", (perSecond) => {
    const rate = new SlotRate();
    run(rate, perSecond, 60);
    expect(rate.perSecond).toBeCloseTo(perSecond, 0);
    expect(Math.abs(rate.perSecond / perSecond - 1)).toBeLessThan(0.03);
  });

  test("follows a chain whose slots become shorter", () => {
    const rate = new SlotRate();
    const before = run(rate, 2.5, 600);
    run(rate, 5, 300, before);
    expect(rate.perSecond).toBeCloseTo(5, 1);
  });

  test("keeps its value while the source is silent, stands still or catches up, and after a jump", () => {
    const rate = new SlotRate();
    let at = run(rate, 5, 120);
    for (let second = 0; second < 3600; second += 1) rate.note(at.slot, at.ms + second * 1000);
    expect(rate.perSecond).toBeCloseTo(5, 1);
    at = run(rate, 100, 120, { slot: at.slot + 1, ms: at.ms + 3_600_000 });
    at = run(rate, 5, 20, { slot: at.slot + 1_000_000, ms: at.ms + 1000 });
    expect(rate.perSecond).toBeCloseTo(5, 1);
  });

  test("another chain does not count as one that goes back", () => {
    const rate = new SlotRate();
    const { ms } = run(rate, 5, 120, { slot: 1_000_000, ms: 0 });
    run(rate, 4, 600, { slot: 10, ms: ms + 1000 });
    expect(rate.perSecond).toBeCloseTo(4, 1);
  });
});
