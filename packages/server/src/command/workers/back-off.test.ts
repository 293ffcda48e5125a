import { expect, test } from "vitest";
import { BackOff } from "./back-off.ts";

test("waits twice as long each time up to a bound, and begins again after a long life", () => {
  const backOff = new BackOff();
  expect(Array.from({ length: 9 }, () => backOff.next(0))).toEqual([
    100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000,
  ]);
  expect(backOff.next(60_000)).toBe(100);
});
