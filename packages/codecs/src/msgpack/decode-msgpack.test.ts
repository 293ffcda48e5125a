import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeMsgPack as decodeWithin } from "./decode-msgpack.ts";

const decodeMsgPack = (data: Uint8Array) => decodeWithin(data, 1000);
const bytes = (...values: number[]): Uint8Array => Uint8Array.of(...values);
const text = (value: string): number[] => [0xa0 | value.length, ...Buffer.from(value)];

/** A list of so many. */
const nulls = (count: number): Uint8Array => {
  const data = new Uint8Array(5 + count).fill(0xc0);
  data[0] = 0xdd;
  new DataView(data.buffer).setUint32(1, count);
  return data;
};

describe("decodeMsgPack", () => {
  test("decodes maps, lists, text and constants", () => {
    const map = bytes(
      0x82,
      ...text("a"),
      0x93,
      0xc0,
      0xc2,
      0xc3,
      ...text("b"),
      0xde,
      0,
      1,
      ...text("c"),
      0xdc,
      0,
      0,
    );
    expect(decodeMsgPack(map)).toEqual({ a: [null, false, true], b: { c: [] } });
    expect(decodeMsgPack(bytes(0xd9, 2, 0xc3, 0xa9))).toBe("é");
    expect(decodeMsgPack(bytes(0xdd, 0, 0, 0, 1, 0xdb, 0, 0, 0, 1, 0x41))).toEqual(["A"]);
  });

  test.each([
    ["fixint", [0x7f], 127],
    ["negative fixint", [0xe0], -32],
    ["u8", [0xcc, 255], 255],
    ["u16", [0xcd, 1, 0], 256],
    ["u32", [0xce, 255, 255, 255, 255], 4_294_967_295],
    ["u64 within 2^53", [0xcf, 0, 0x1f, 255, 255, 255, 255, 255, 255], Number.MAX_SAFE_INTEGER],
    ["u64 at its end", [0xcf, 255, 255, 255, 255, 255, 255, 255, 255], 2n ** 64n - 1n],
    ["i8", [0xd0, 0x80], -128],
    ["i16", [0xd1, 0x80, 0], -32_768],
    ["i32", [0xd2, 0x80, 0, 0, 0], -2_147_483_648],
    ["i64 at its end", [0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0], -(2n ** 63n)],
    ["f32", [0xca, 0x3f, 0xc0, 0, 0], 1.5],
    ["f64", [0xcb, 0x3f, 0xb9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a], 0.1],
    ["NaN", [0xca, 0x7f, 0xc0, 0, 0], null],
  ])("decodes %s", (_name, data, value) => {
    expect(decodeMsgPack(bytes(...data))).toBe(value);
  });

  test("keys named like members of objects are ordinary, the last of equal keys wins", () => {
    const map = decodeMsgPack(bytes(0x83, ...text("__proto__"), 1, ...text("a"), 2, ...text("a"), 3));
    expect(Object.entries(map as object)).toEqual([
      ["__proto__", 1],
      ["a", 3],
    ]);
  });

  test.each([
    ["binary", [0xc4, 1, 0]],
    ["an extension", [0xd4, 1, 0]],
    ["the unused type", [0xc1]],
    ["a key that is no text", [0x81, 1, 2]],
    ["trailing bytes", [1, 1]],
    ["nothing", []],
    ["a list of four billion", [0xdd, 255, 255, 255, 255, 1]],
    ["text that is not UTF-8", [0xa1, 0xff]],
    ["65 levels", [...Array.from({ length: 65 }, () => 0x91), 1]],
  ])("answers undefined for %s", (_name, data) => {
    expect(decodeMsgPack(bytes(...data))).toBeUndefined();
  });

  test("takes 64 levels", () => {
    expect(decodeMsgPack(bytes(...Array.from({ length: 64 }, () => 0x91), 1))).toBeDefined();
  });

  test("takes as many values as it may, and no more", () => {
    expect(decodeWithin(nulls(99), 100)).toHaveLength(99);
    expect(decodeWithin(nulls(100), 100)).toBeUndefined();
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
        expect(() => decodeMsgPack(data)).not.toThrow();
      }),
      { numRuns: 3000 },
    );
  });
});
