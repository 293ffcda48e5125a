import { expect, test } from "vitest";
import { halfWidthOf, inRounds, ratioFigure, ratiosOf } from "./rounds.ts";

test("each contender is measured in every round, and who comes first changes", async () => {
  const order: string[] = [];
  const measured = await inRounds(3, ["a", "b"], (name, round) => {
    order.push(name);
    return Promise.resolve(`${name}${round}`);
  });
  expect(order.join("")).toBe("abbaab");
  expect(measured).toEqual([
    ["a0", "a1", "a2"],
    ["b0", "b1", "b2"],
  ]);
});

test("half of the interval is known by the ranks of the values, in any order", () => {
  // The table of the sign test: of 31 values, the 10th and the 22nd are the ends; of 10, the 2nd and the 9th.
  const values = Array.from({ length: 31 }, (_, index) => (index * 7) % 31);
  expect(halfWidthOf(values)).toBe(6);
  expect(halfWidthOf(Array.from({ length: 10 }, (_, index) => index))).toBe(3.5);
  expect(halfWidthOf(Array.from({ length: 31 }, () => 2))).toBe(0);
});

test("a few values have no interval", () => {
  expect(halfWidthOf([1, 2, 3, 4, 5])).toBeNaN();
  expect(halfWidthOf([1, 2, 3, 4, 5, 6])).toBe(2.5);
});

test("ratios are those of one round", () => {
  const ratios = ratiosOf([2, 4, 9], [1, 4, 3], (value) => value);
  expect(ratios).toEqual([2, 1, 3]);
  expect(ratioFigure("work", ratios)).toMatchObject({ name: "work", value: 2 });
});
