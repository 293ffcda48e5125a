import { type Address, isOffCurveAddress } from "@solana/kit";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeAddress } from "../base58/encode-base58.ts";
import { isOnCurve } from "./is-on-curve.ts";

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const isOnCurveOfKit = (bytes: Uint8Array): boolean =>
  !isOffCurveAddress(encodeAddress(bytes) as string as Address);

/** A y of few digits, at either end of the field, with both signs of x. */
const extremes = Array.from({ length: 40 }, (_, small) =>
  [0, 0xff].flatMap((fill) =>
    [0, 0x80].map((sign) => {
      const bytes = new Uint8Array(32).fill(fill);
      // p - 1 ends with 0xec.
      bytes[0] = fill === 0 ? small : 0xec - small;
      bytes[31] = (fill & 0x7f) | sign;
      return bytes;
    }),
  ),
).flat();

/** Points of order 1, 2, 4 and 8. */
const smallOrder = [
  "0100000000000000000000000000000000000000000000000000000000000000",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
];

describe("isOnCurve", () => {
  test("agrees with Kit on random bytes", () => {
    fc.assert(
      fc.property(bytes32, (bytes) => {
        expect(isOnCurve(bytes)).toBe(isOnCurveOfKit(bytes));
      }),
      { numRuns: 500 },
    );
  });

  test("agrees with Kit at both ends of the field, except for a sign bit on x = 0, which the runtime takes", () => {
    const differing = extremes.filter((bytes) => isOnCurve(bytes) !== isOnCurveOfKit(bytes));
    expect(differing.map((bytes) => [bytes[0], bytes[31]])).toEqual([
      [0xec, 0xff],
      [1, 0x80],
    ]);
    expect(differing.every(isOnCurve)).toBe(true);
  });

  test("takes the points of small order", () => {
    for (const hex of smallOrder) expect(isOnCurve(Uint8Array.from(Buffer.from(hex, "hex")))).toBe(true);
  });

  test("takes a y above the field size, as the runtime does", () => {
    // p + 1 stands for y = 1, the neutral element.
    const overflowing = new Uint8Array(32).fill(0xff);
    overflowing[0] = 0xee;
    overflowing[31] = 0x7f;
    expect(isOnCurve(overflowing)).toBe(true);
  });
});
