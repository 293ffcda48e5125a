import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeZeroRuns, decodeZeroRunsStart, encodeZeroRuns } from "./zero-runs.ts";

/** Bytes with long and short runs of zeros, as accounts have them. */
const sparseBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.nat({ max: 400 }).map((size) => new Uint8Array(size)),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

describe("zero-run coding", () => {
  test("gives the same bytes back and is smaller whenever it is used", () => {
    fc.assert(
      fc.property(fc.oneof(sparseBytes, fc.uint8Array({ maxLength: 600 })), (data) => {
        const coded = encodeZeroRuns(data);
        if (coded === null) return;
        expect(coded.length).toBeLessThan(data.length);
        expect(decodeZeroRuns(coded)).toEqual(data);
      }),
    );
  });

  test("shrinks a run at every boundary of a control byte", () => {
    for (const zeros of [2, 127, 128, 129, 256, 257, 100_000]) {
      const data = new Uint8Array(zeros + 2).fill(1, 0, 1).fill(2, zeros + 1);
      const coded = encodeZeroRuns(data);
      if (zeros > 2) expect(coded).not.toBeNull();
      if (coded !== null) expect(decodeZeroRuns(coded)).toEqual(data);
    }
  });

  test("keeps data raw that would not shrink", () => {
    expect(encodeZeroRuns(new Uint8Array(0))).toBeNull();
    expect(encodeZeroRuns(new Uint8Array(1))).toBeNull();
    expect(encodeZeroRuns(new Uint8Array(500).fill(7))).toBeNull();
  });

  test("answers null for a damaged form", () => {
    expect(decodeZeroRuns(Uint8Array.of(5, 1, 2))).toBeNull();
    expect(decodeZeroRuns(Uint8Array.of(0))).toBeNull();
  });

  test("never throws on arbitrary coded bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (coded) => {
        expect(() => decodeZeroRuns(coded)).not.toThrow();
      }),
    );
  });

  test("gives the first bytes alone, also of a form that is cut off", () => {
    fc.assert(
      fc.property(sparseBytes, fc.nat(80), (data, length) => {
        const coded = encodeZeroRuns(data);
        if (coded === null) return;
        const expected = new Uint8Array(length);
        expected.set(data.subarray(0, length));
        const start = decodeZeroRunsStart(coded.subarray(0, 2 * length + 2), new Uint8Array(length).fill(9));
        expect(start).toEqual(expected);
      }),
    );
  });
});
