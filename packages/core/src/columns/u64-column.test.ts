import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { u64FromColumn, u64ToColumn } from "./u64-column.ts";

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe("u64 columns", () => {
  test("hold the edges exactly and inside the signed range", () => {
    for (const value of [0n, 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n]) {
      const column = u64ToColumn(value);
      expect(BigInt.asIntN(64, column)).toBe(column);
      expect(u64FromColumn(column)).toBe(value);
    }
  });

  test("keep the order of the values", () => {
    fc.assert(fc.property(u64, u64, (a, b) => a < b === u64ToColumn(a) < u64ToColumn(b)));
  });
});
