import { isLamplightError } from "@lamplight/errors";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BorshReader } from "./borsh-reader.ts";
import { BorshWriter } from "./borsh-writer.ts";

const failureOf = (bytes: readonly number[], read: (reader: BorshReader) => unknown): string | null => {
  try {
    read(new BorshReader("test", Uint8Array.from(bytes)));
    return null;
  } catch (error) {
    return isLamplightError(error, "CODEC__MALFORMED") ? error.context.reason : "another error";
  }
};

describe("BorshWriter and BorshReader", () => {
  test("give back what was written, across every growth of the buffer", () => {
    const value = fc.record({
      u8: fc.nat(255),
      u16: fc.nat(65_535),
      u32: fc.nat(2 ** 31 - 1),
      u64: fc.bigInt(0n, 2n ** 64n - 1n),
      text: fc.string({ unit: "binary", maxLength: 40 }),
      some: fc.option(fc.boolean()),
    });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), (values) => {
        const writer = new BorshWriter();
        writer.list(values, (each) => {
          writer.u8(each.u8).u16(each.u16).u32(each.u32).u64(each.u64).text(each.text);
          writer.option(each.some, (some) => writer.bool(some));
        });
        const reader = new BorshReader("values", writer.finish());
        const read = reader.list(20, () => ({
          u8: reader.u8(),
          u16: reader.u16(),
          u32: reader.u32(),
          u64: reader.u64(),
          text: reader.text(),
          some: reader.option(() => reader.bool()),
        }));
        reader.end();
        expect(read).toEqual(values);
      }),
    );
  });

  test.each<[string, readonly number[], (reader: BorshReader) => unknown, string | null]>([
    ["bytes short", [1], (reader) => reader.u16(), "2 bytes needed at 0, 1 left"],
    ["a boolean of 2", [2], (reader) => reader.bool(), "2 is not a boolean"],
    [
      "a hostile count",
      [255, 255, 255, 255],
      (reader) => reader.list(1, () => reader.u8()),
      "a list of 4294967295 items does not fit",
    ],
    [
      "a hostile length",
      [255, 255, 255, 255],
      (reader) => reader.text(),
      "4294967295 bytes needed at 4, 0 left",
    ],
    ["text that is not UTF-8", [1, 0, 0, 0, 255], (reader) => reader.text(), "text is not UTF-8"],
    [
      "a byte order mark",
      [3, 0, 0, 0, 239, 187, 191],
      (reader) => expect(reader.text()).toBe("\uFEFF"),
      null,
    ],
    [
      "a counter at 2^53",
      [0, 0, 0, 0, 0, 0, 32, 0],
      (reader) => reader.counter("seq"),
      "seq 9007199254740992 is not a counter",
    ],
    ["bytes left over", [1, 2], (reader) => [reader.u8(), reader.end()], "1 bytes follow the last value"],
  ])("refuses or accepts %s", (_, bytes, read, reason) => {
    expect(failureOf(bytes, read)).toBe(reason);
  });
});
