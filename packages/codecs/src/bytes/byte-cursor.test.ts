import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteCursor } from "./byte-cursor.ts";

describe("ByteCursor", () => {
  test("reads little-endian fields one after another", () => {
    const data = Uint8Array.from([1, 2, 1, 254, 255, 4, 3, 2, 1, 255, 255, 255, 255, 255, 255, 255, 255]);
    const cursor = new ByteCursor(data);
    expect([cursor.u8(), cursor.u16(), cursor.i16(), cursor.u32()]).toEqual([1, 258, -2, 0x01020304]);
    expect(cursor.u64()).toBe(2n ** 64n - 1n);
    expect(cursor).toMatchObject({ failed: false, remaining: 0 });
    expect(new ByteCursor(data, 9).i64()).toBe(-1n);
  });

  test("reads 128 bits, floats and text", () => {
    const wide = new Uint8Array(16).fill(255);
    expect(new ByteCursor(wide).u128()).toBe(2n ** 128n - 1n);
    expect(new ByteCursor(Uint8Array.from([0, 0, 0, 0, 0, 0, 240, 63])).f64()).toBe(1);
    expect(new ByteCursor(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61])).text(4)).toBe("\ufeffa");
  });

  test("fails once and for all at the end, and gives zeros from then on", () => {
    const cursor = new ByteCursor(Uint8Array.from([1, 2, 3]));
    expect(cursor.u32()).toBe(0);
    expect(cursor.failed).toBe(true);
    expect(cursor.u8()).toBe(0);
    expect(cursor.key()).toHaveLength(0);
  });

  test("fails on a boolean above 1, on text that is not UTF-8, on a count without room", () => {
    const bool = new ByteCursor(Uint8Array.from([2]));
    bool.strictBool();
    const text = new ByteCursor(Uint8Array.from([255]));
    text.text(1);
    const list = new ByteCursor(new Uint8Array(16).fill(255));
    expect(list.list(1, () => 0)).toEqual([]);
    expect([bool.failed, text.failed, list.failed]).toEqual([true, true, true]);
  });

  test("an option without a payload takes one byte", () => {
    const cursor = new ByteCursor(Uint8Array.from([0, 1, 7]));
    expect(cursor.option((option) => option.u8())).toBeNull();
    expect(cursor.option((option) => option.u8())).toBe(7);
  });

  test("never reads what is next to its bytes", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 8 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), sizes, (length, reads) => {
        const buffer = new Uint8Array(100).fill(9);
        buffer.fill(0, 30, 30 + length);
        const cursor = new ByteCursor(buffer.subarray(30, 30 + length));
        for (const size of reads) expect([...cursor.bytes(size)].every((byte) => byte === 0)).toBe(true);
        expect(cursor.failed).toBe(reads.reduce((sum, size) => sum + size, 0) > length);
      }),
    );
  });
});
