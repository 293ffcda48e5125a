import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringifyExact } from "./stringify-exact.ts";

describe("stringifyExact", () => {
  test("writes a bigint as digits", () => {
    expect(stringifyExact([{ minContextSlot: 9223372036854775807n }])).toBe(
      '[{"minContextSlot":9223372036854775807}]',
    );
  });

  test("treats undefined as JSON.stringify does", () => {
    expect(stringifyExact({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}');
  });

  test("writes a number that JSON lacks as a text, so that a filter is refused and not left out", () => {
    expect(stringifyExact({ supply: NaN, limit: [Infinity, -Infinity] })).toBe(
      '{"supply":"NaN","limit":["Infinity","-Infinity"]}',
    );
  });

  test("equals JSON.stringify where there is no bigint", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stringifyExact(value)).toBe(JSON.stringify(value));
      }),
    );
  });
});
