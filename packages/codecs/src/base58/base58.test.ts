import { base58 } from "@scure/base";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLamplightError } from "@lamplight/errors";
import { decodeAddress, findAddress } from "./decode-address.ts";
import { encodeAddress, encodeBase58 } from "./encode-base58.ts";

const address32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
/** Leading zeros and runs of 0 and 255 are where carries and padding go wrong. */
const edgy32 = fc
  .array(fc.oneof(fc.constant(0), fc.constant(255), fc.integer({ min: 0, max: 255 })), {
    minLength: 32,
    maxLength: 32,
  })
  .chain((tail) =>
    fc.integer({ min: 0, max: 32 }).map((zeros) => Uint8Array.from(tail, (b, i) => (i < zeros ? 0 : b))),
  );

const faultOf = (text: string): string | null => {
  try {
    decodeAddress(text);
    return null;
  } catch (error) {
    if (!isLamplightError(error, "CODEC__ADDRESS")) throw error;
    return error.context.fault;
  }
};

describe("encodeAddress", () => {
  test("equals the general encoder on random and edge values, and decodes back", () => {
    fc.assert(
      fc.property(fc.oneof(address32, edgy32), (bytes) => {
        const text = encodeAddress(bytes);
        expect(text).toBe(base58.encode(bytes));
        expect(decodeAddress(text)).toEqual(bytes);
      }),
      { numRuns: 5000 },
    );
  });

  test("writes the two ends of the range", () => {
    expect(encodeAddress(new Uint8Array(32))).toBe("1".repeat(32));
    expect(encodeAddress(new Uint8Array(32).fill(255))).toBe("JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG");
  });

  test("refuses other lengths", () => {
    expect(() => encodeAddress(new Uint8Array(31))).toThrow("31 bytes, not 32");
  });
});

describe("encodeBase58", () => {
  test("equals the reference for any length up to 128 bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 128 }), (bytes) => {
        expect(encodeBase58(bytes)).toBe(base58.encode(bytes));
      }),
    );
  });
});

describe("decodeAddress", () => {
  test.each([
    ["", "WrongSize"],
    ["1".repeat(31), "WrongSize"],
    ["1".repeat(32), null],
    ["1".repeat(33), "WrongSize"],
    ["1".repeat(45), "WrongSize"],
    ["!".repeat(45), "WrongSize"],
    ["!".repeat(44), "Invalid"],
    ["z".repeat(44), "WrongSize"],
    ["JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG", null],
    ["JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH", "WrongSize"],
    ["0OIl", "Invalid"],
    [" 11111111111111111111111111111111", "Invalid"],
    ["é".repeat(22), "Invalid"],
    ["é".repeat(23), "WrongSize"],
    ["🙂".repeat(11), "Invalid"],
    ["🙂".repeat(12), "WrongSize"],
    [`${"a".repeat(42)}€`, "WrongSize"],
  ])("answers %j with fault %s", (text, fault) => {
    expect(faultOf(text)).toBe(fault);
    expect(findAddress(text) === null).toBe(fault !== null);
  });

  test("accepts exactly what the reference decodes to 32 bytes", () => {
    const characters = fc.constantFrom(..."123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
    fc.assert(
      fc.property(fc.array(characters, { minLength: 30, maxLength: 46 }), (list) => {
        const text = list.join("");
        const expected = base58.decode(text);
        expect(faultOf(text)).toBe(expected.length === 32 ? null : "WrongSize");
        if (expected.length === 32) expect(decodeAddress(text)).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
  });
});
