import { expect, test } from "vitest";
import { DoubtfulSlots } from "./doubtful-slots.ts";

type Status = Parameters<DoubtfulSlots["note"]>[0]["status"];

const noted = (...statuses: readonly (readonly [slot: number, status: Status])[]): DoubtfulSlots => {
  const slots = new DoubtfulSlots();
  for (const [slot, status] of statuses)
    slots.note({ kind: "slot", slot, parent: slot - 1, status, deadError: null });
  return slots;
};

test("a slot that was not started before our eyes is asked for again, once", () => {
  const slots = noted([7, "processed"]);
  expect(slots.areWaiting).toBe(true);
  expect(slots.take(4)).toEqual([7]);
  slots.note({ kind: "slot", slot: 7, parent: 6, status: "processed", deadError: null });
  expect(slots.areWaiting).toBe(false);
  expect(slots.take(4)).toEqual([]);
});

test("a slot that was started before our eyes is whole", () => {
  expect(noted([7, "createdBank"], [7, "processed"]).areWaiting).toBe(false);
});

test("a slot that has not ended cannot be replayed yet", () => {
  expect(noted([7, "confirmed"], [8, "completed"]).areWaiting).toBe(false);
});

test("of a long replay, only the newest can have been running", () => {
  const replay = Array.from({ length: 30 }, (_, index) => [100 + index, "processed"] as const);
  expect(noted(...replay.toReversed()).take(4)).toEqual([126, 127, 128, 129]);
});
