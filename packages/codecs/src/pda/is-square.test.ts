import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FIELD, isSquare, isSquareByPower } from "./is-square.ts";

describe("isSquare", () => {
  test("agrees with Euler's criterion on random numbers", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: FIELD - 1n }), (value) => {
        expect(isSquare(value)).toBe(isSquareByPower(value));
      }),
      { numRuns: 1000 },
    );
  });

  test("agrees with it on small numbers, near the field, and around each power of 2", () => {
    const near = Array.from({ length: 200 }, (_, small) => [BigInt(small), FIELD - 1n - BigInt(small)]);
    const powers = Array.from({ length: 255 }, (_, bit) => 2n ** BigInt(bit));
    const values = [...near.flat(), ...powers.flatMap((power) => [power - 1n, power, power + 1n])];
    expect(values.filter((value) => isSquare(value) !== isSquareByPower(value))).toEqual([]);
  });

  test("takes every square", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: FIELD - 1n }), (root) => {
        const square = (root * root) % FIELD;
        expect([isSquare(square), isSquareByPower(square)]).toEqual([true, true]);
        // 2 is no square in this field.
        expect(isSquare((2n * square) % FIELD)).toBe(root === 0n);
      }),
      { numRuns: 300 },
    );
  });
});
