import { base58 } from "@scure/base";
import { isLamplightError } from "@lamplight/errors";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBase58 } from "./decode-base58.ts";

const codeOf = (text: string, lengthMax = 100): string | null => {
  try {
    decodeBase58(text, lengthMax);
    return null;
  } catch (error) {
    return isLamplightError(error) ? error.code : "another error";
  }
};

describe("decodeBase58", () => {
  test("agrees with another decoder on bytes of any length, leading zeros included", () => {
    const bytes = fc
      .tuple(fc.nat(5), fc.uint8Array({ maxLength: 400 }))
      .map(([zeros, rest]) => Uint8Array.from([...Array.from({ length: zeros }, () => 0), ...rest]));
    fc.assert(
      fc.property(bytes, (expected) => {
        expect(decodeBase58(base58.encode(expected), 1000)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["", null],
    ["1".repeat(100), null],
    ["1".repeat(101), "CODEC__MALFORMED"],
    ["abc0", "CODEC__MALFORMED"],
    ["abcé", "CODEC__MALFORMED"],
    [" abc", "CODEC__MALFORMED"],
  ])("of %j gives error %j", (text, code) => {
    expect(codeOf(text)).toBe(code);
  });
});
