import { describe, expect, test } from "vitest";
import { parseRetryAfter } from "./retry-after.ts";

describe("parseRetryAfter", () => {
  test.each([
    [undefined, null],
    ["5", 5000],
    ["Thu, 01 Jan 1970 00:01:00 GMT", 50_000],
    ["Wed, 31 Dec 1969 00:00:00 GMT", 0],
    ["soon", null],
    ["99999999999", null],
  ])("%j is %j", (header, expected) => {
    expect(parseRetryAfter(header, 10_000)).toBe(expected);
  });
});
