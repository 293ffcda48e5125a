import { expect, test } from "vitest";

import { memoryBound, usableBytes } from "./memory.ts";

const GIB = 1024 ** 3;

test.each([
  ["the machine", { totalBytes: 8 * GIB, constrainedBytes: 0 }, 8 * GIB],
  ["a container", { totalBytes: 8 * GIB, constrainedBytes: 2 * GIB }, 2 * GIB],
  ["a container without a limit", { totalBytes: 8 * GIB, constrainedBytes: 2 ** 64 }, 8 * GIB],
  ["the setting", { totalBytes: 8 * GIB, constrainedBytes: 2 * GIB, setting: `${4 * GIB}` }, 4 * GIB],
])("the memory that may be used is that of %s", (_, memory, expected) => {
  expect(usableBytes({ setting: undefined, ...memory })).toBe(expected);
});

test.each(["4G", "-1", "0", "1000", "1e12", " "])("refuses %j as a number of bytes", (setting) => {
  expect(() => usableBytes({ totalBytes: GIB, constrainedBytes: 0, setting })).toThrow(
    "the environment: LAMPLIGHT_MEMORY_BYTES must be a number of bytes, at least 268435456",
  );
});

test("a bound is its share of the memory, and never more than its maximum", () => {
  expect(memoryBound(1, 1000)).toBe(1000);
  const whole = memoryBound(1, Infinity);
  expect(memoryBound(1 / 4, Infinity)).toBe(Math.floor(whole / 4));
});
