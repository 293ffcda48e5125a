import { expect, test } from "vitest";
import { DoubtfulSlots } from "./doubtful-slots.ts";
import { DOUBTFUL_SLOTS_KEPT_MAX } from "./limits.ts";

type Update = Parameters<DoubtfulSlots["note"]>[0];

const reported = (slot: number, status: Update["status"], parent: number | null = null): Update => ({
  kind: "slot",
  slot,
  parent,
  status,
  deadError: null,
});

const noted = (...updates: readonly Update[]): DoubtfulSlots => {
  const slots = new DoubtfulSlots();
  for (const update of updates) slots.note(update);
  return slots;
};

test("a slot that was not started before our eyes is asked for again, once", () => {
  const slots = noted();
  expect(slots.note(reported(7, "processed", 6))).toBe(true);
  expect(slots.take(4)).toEqual([7]);
  expect(slots.note(reported(7, "processed", 6))).toBe(false);
  expect(slots.note(reported(7, "finalized"))).toBe(false);
  expect(slots.take(4)).toEqual([]);
});

test("a slot that was started before our eyes is whole", () => {
  const slots = noted();
  expect(slots.note(reported(7, "createdBank", 6))).toBe(false);
  expect(slots.note(reported(7, "processed", 6))).toBe(false);
  expect(slots.take(4)).toEqual([]);
});

test("a slot that has not ended cannot be replayed yet", () => {
  const slots = noted();
  expect(slots.note(reported(7, "confirmed"))).toBe(false);
  expect(slots.note(reported(8, "completed"))).toBe(false);
  expect(slots.take(4)).toEqual([]);
});

test("one had ended before the stream if a child of it started before the stream", () => {
  const slots = noted(reported(7, "processed", 6), reported(8, "processed", 7), reported(7, "finalized"));
  expect(slots.take(4)).toEqual([8]);
  expect(noted(reported(7, "processed", 6), reported(8, "completed", 7)).take(4)).toEqual([7]);
});

test("of a long replay, only the newest ends of forks can have been running", () => {
  const replay = Array.from({ length: 30 }, (_, index) => reported(100 + index, "processed", 99));
  expect(noted(...replay.toReversed()).take(4)).toEqual([126, 127, 128, 129]);
});

test.each<readonly [string, Update]>([
  ["it is confirmed", reported(7, "confirmed")],
  ["it is finalized", reported(7, "finalized")],
  ["another slot starts on it", reported(20, "createdBank", 7)],
])("an older one is asked for where %s, before and after the others", (_, update) => {
  const replay = [reported(7, "processed", 6), reported(14, "processed", 6)];
  expect(noted(...replay, update).take(4)).toEqual([7, 14]);
  expect(noted(update, ...replay).take(4)).toEqual([7, 14]);
  const slots = noted(...replay);
  expect(slots.take(4)).toEqual([14]);
  expect(slots.note(update)).toBe(true);
  expect(slots.take(4)).toEqual([7]);
});

test("a long stream forgets the oldest slots, even where no start is ever reported", () => {
  const slots = noted();
  for (let slot = 0; slot < 3 * DOUBTFUL_SLOTS_KEPT_MAX; slot += 1) slots.note(reported(slot, "processed"));
  expect(slots.take(Infinity)).toHaveLength(DOUBTFUL_SLOTS_KEPT_MAX);
});
