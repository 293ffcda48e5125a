import * as fc from "fast-check";
import { RoaringBitmap32, roaringLibraryInitialize } from "roaring-wasm";
import { beforeAll, describe, expect, test } from "vitest";
import { both, counted, either, without } from "./combined-set.ts";
import { LIST_MEMBERS_MAX } from "./container.ts";
import type { MemberSet } from "./member-set.ts";
import { OrdinalSet } from "./ordinal-set.ts";
import { SetBuilder } from "./set-builder.ts";
import { runThrough } from "../slices.ts";

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
const same = (set: MemberSet, expected: RoaringBitmap32): void => {
  const values = expected.toUint32Array();
  expect(counted(set).size).toBe(values.length);
  expect(set.sizeMax).toBeGreaterThanOrEqual(values.length);
  expect(set.toArray()).toEqual(values);
  for (const probe of [0, 65_535, 65_536, 100_001, 131_072, 400_000]) {
    expect(set.has(probe)).toBe(expected.has(probe));
    expect(set.rankOf(probe)).toBe(values.filter((value) => value < probe).length);
  }
  const middle = values.length >>> 1;
  expect(set.slice(middle, 9)).toEqual([...values.subarray(middle, middle + 9)]);
};

describe("combined sets", () => {
  test("agree with roaring-wasm, one in another, and leave what they combine alone", () => {
    fc.assert(
      fc.property(fc.array(ordinals, { minLength: 4, maxLength: 4 }), (values) => {
        const [a, b, c, d] = values.map((one) => OrdinalSet.fromSorted(one)) as OrdinalSet[];
        const [p, q, r, s] = values.map(oracle) as RoaringBitmap32[];
        const [and, or, not] = [RoaringBitmap32.and, RoaringBitmap32.or, RoaringBitmap32.andNot];
        same(both(a!, b!), and(p!, q!));
        same(either(a!, b!), or(p!, q!));
        same(without(a!, b!), not(p!, q!));
        same(both(either(a!, b!), either(c!, d!)), and(or(p!, q!), or(r!, s!)));
        same(either(both(a!, b!), without(c!, d!)), or(and(p!, q!), not(r!, s!)));
        same(without(either(a!, b!), both(c!, d!)), not(or(p!, q!), and(r!, s!)));
        same(without(without(a!, b!), either(c!, d!)), not(not(p!, q!), or(r!, s!)));
        for (const [index, set] of [a!, b!, c!, d!].entries()) expect(set.toArray()).toEqual(values[index]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("SetBuilder", () => {
  test("puts lists together as roaring-wasm does", () => {
    fc.assert(
      fc.property(fc.array(ordinals, { maxLength: 4 }), (lists) => {
        const builder = new SetBuilder();
        for (const list of lists) runThrough(builder.add(list));
        const expected = lists.reduce((all, list) => RoaringBitmap32.or(all, oracle(list)), oracle(none));
        same(runThrough(builder.build()), expected);
      }),
      { numRuns: 40 },
    );
  });
});

const none = new Uint32Array(0);

describe("OrdinalSet", () => {
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
