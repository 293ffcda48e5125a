import { describe, expect, test } from "vitest";
import { widenUint64 } from "./widen-uint64.ts";

describe("widenUint64", () => {
  test("makes every marked number a bigint, however small", () => {
    expect(
      widenUint64(
        { a: 1, b: { c: [{ d: 2 }, { d: 3n }] }, e: 4 },
        { a: true, b: { c: { "[]": { d: true } } } },
      ),
    ).toEqual({
      a: 1n,
      b: { c: [{ d: 2n }, { d: 3n }] },
      e: 4,
    });
  });

  test("passes by what is absent, null or of another form", () => {
    expect(widenUint64(null, { a: true })).toBeNull();
    expect(
      widenUint64({ a: null, data: ["x", "base64"] }, { a: true, b: true, data: { space: true } }),
    ).toEqual({
      a: null,
      data: ["x", "base64"],
    });
    expect(widenUint64("text", { a: true })).toBe("text");
  });

  test("does not follow inherited names", () => {
    expect(widenUint64({}, Object.fromEntries([["constructor", { name: true }]]))).toEqual({});
  });
});
