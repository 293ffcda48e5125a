import * as fc from "fast-check";
import { RoaringBitmap32, roaringLibraryInitialize } from "roaring-wasm";
import { beforeAll, describe, expect, test } from "vitest";
import { LIST_MEMBERS_MAX } from "./container.ts";
import { OrdinalSet } from "./ordinal-set.ts";

beforeAll(async () => {
  await roaringLibraryInitialize();
});

/** Sparse strays, and dense runs around the limit between the two container forms. */
const ordinals = fc
  .tuple(
    fc.uniqueArray(fc.nat({ max: 300_000 }), { maxLength: 200 }),
    fc.nat({ max: 200_000 }),
    fc.constantFrom(0, 1, LIST_MEMBERS_MAX - 1, LIST_MEMBERS_MAX, LIST_MEMBERS_MAX + 1, 70_000),
    fc.integer({ min: 1, max: 3 }),
  )
  .map(([strays, start, length, step]) => {
    const all = new Set(strays);
    for (let index = 0; index < length; index++) all.add(start + index * step);
    return Uint32Array.from(all).toSorted();
  });

const oracle = (values: Uint32Array): RoaringBitmap32 => new RoaringBitmap32(values);
const same = (set: OrdinalSet, expected: RoaringBitmap32): void => {
  expect(set.size).toBe(expected.size);
  expect(set.toArray()).toEqual(expected.toUint32Array());
  expected.dispose();
};

describe("OrdinalSet", () => {
  test("agrees with roaring-wasm on and, or and andNot", () => {
    fc.assert(
      fc.property(ordinals, ordinals, (left, right) => {
        const a = OrdinalSet.fromSorted(left);
        const b = OrdinalSet.fromSorted(right);
        same(a.and(b), RoaringBitmap32.and(oracle(left), oracle(right)));
        same(a.or(b), RoaringBitmap32.or(oracle(left), oracle(right)));
        same(a.andNot(b), RoaringBitmap32.andNot(oracle(left), oracle(right)));
        expect(a.toArray()).toEqual(left);
        expect(b.toArray()).toEqual(right);
      }),
      { numRuns: 60 },
    );
  });

  test("agrees with roaring-wasm on adding and removing across the limit, both ways", () => {
    fc.assert(
      fc.property(
        ordinals,
        fc.array(
          fc.record({ add: fc.boolean(), from: fc.nat({ max: 70_000 }), length: fc.nat({ max: 5000 }) }),
          {
            maxLength: 6,
          },
        ),
        (start, steps) => {
          const set = OrdinalSet.fromSorted(start);
          const expected = oracle(start);
          for (const { add, from, length } of steps)
            for (let ordinal = from; ordinal < from + length; ordinal++)
              if (add) {
                set.add(ordinal);
                expected.add(ordinal);
              } else {
                set.remove(ordinal);
                expected.remove(ordinal);
              }
          for (const probe of [0, 65_535, 65_536, 131_072]) expect(set.has(probe)).toBe(expected.has(probe));
          same(set, expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("a set operation leaves its operands alone when the result is changed", () => {
    const a = OrdinalSet.fromSorted(Uint32Array.from({ length: 10_000 }, (_, index) => index));
    const copy = a.or(OrdinalSet.empty());
    copy.remove(5);
    copy.add(20_000);
    expect(a.has(5)).toBe(true);
    expect(a.has(20_000)).toBe(false);
  });

  test("slices by rank as the array does", () => {
    fc.assert(
      fc.property(ordinals, fc.nat({ max: 80_000 }), fc.nat({ max: 1500 }), (values, from, count) => {
        expect(OrdinalSet.fromSorted(values).slice(from, count)).toEqual([
          ...values.subarray(from, from + count),
        ]);
      }),
      { numRuns: 60 },
    );
  });
});
