import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { numbersOf } from "../test/parts.ts";
import { NumberParts, sharedParts } from "./number-parts.ts";
import { runThrough } from "./slices.ts";

const PART_BITS = 2;
const BLANK = 0xffff_ffff;

const step = fc.oneof(
  fc.record({ kind: fc.constant("resize" as const), length: fc.nat({ max: 40 }) }),
  fc.record({ kind: fc.constant("set" as const), index: fc.nat({ max: 39 }), value: fc.nat({ max: BLANK }) }),
  fc.record({ kind: fc.constant("share" as const) }),
  fc.record({ kind: fc.constant("copy" as const), length: fc.nat({ max: 40 }) }),
);

describe("NumberParts", () => {
  test("are one list, however it grows, shrinks, changes, and is copied or shared", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.nat({ max: 40 }),
        fc.nat({ max: 40 }),
        (steps, a, b) => {
          let parts = new NumberParts(PART_BITS, BLANK);
          let expected: number[] = [];
          const sources: (readonly [NumberParts, number[]])[] = [];
          for (const one of steps)
            if (one.kind === "resize") {
              parts.resize(one.length);
              expected = Array.from({ length: one.length }, (_, index) => expected[index] ?? BLANK);
            } else if (one.kind === "set") {
              if (one.index >= expected.length) continue;
              parts.set(one.index, one.value);
              expected[one.index] = one.value;
            } else {
              sources.push([parts, [...expected]]);
              const length = one.kind === "copy" ? Math.min(one.length, expected.length) : expected.length;
              const copy = one.kind === "copy" ? runThrough(parts.copied(length)) : restored(parts);
              parts = copy;
              expected = expected.slice(0, length);
            }
          expect(numbersOf(parts)).toEqual(expected);
          for (const [source, then] of sources) expect(numbersOf(source)).toEqual(then);
          const [from, to] = [Math.min(a, b, expected.length), Math.min(Math.max(a, b), expected.length)];
          expect([...parts.view(from, to)]).toEqual(expected.slice(from, to));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("that share memory are copied a part at a time, before it changes", () => {
    const parts = new NumberParts(PART_BITS);
    parts.resize(10);
    const saved = sharedParts(parts.toParts());
    const [one, other] = [new NumberParts(PART_BITS), new NumberParts(PART_BITS)];
    for (const thread of [one, other]) thread.restore(saved);
    one.set(5, 7);
    expect([one.get(5), other.get(5)]).toEqual([7, 0]);
    saved[0]![0] = 3;
    saved[1]![0] = 3;
    expect(numbersOf(one)).toEqual([3, 0, 0, 0, 0, 7, 0, 0, 0, 0]);
    expect(numbersOf(other)).toEqual([3, 0, 0, 0, 3, 0, 0, 0, 0, 0]);
  });
});

/** Over memory that others may read, too. */
const restored = (parts: NumberParts): NumberParts => {
  const shared = new NumberParts(PART_BITS, BLANK);
  shared.restore(sharedParts(parts.toParts()));
  return shared;
};
