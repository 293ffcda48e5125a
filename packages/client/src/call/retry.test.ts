import { describe, expect, test } from "vitest";
import { defaultRetryPolicy, noRetries, retryDelayMs } from "./retry.ts";

const policy = { attemptsMax: 4, delayMs: 500, delayMsMax: 10_000 };
const nowMs = Date.parse("2026-01-01T00:00:00Z");
const delay = (status: number, retryAfter: string | null, attempt = 1): number | null =>
  retryDelayMs({ status, retryAfter }, attempt, policy, nowMs);

describe("retryDelayMs", () => {
  test("doubles the pause up to its bound", () => {
    expect([1, 2, 3].map((attempt) => delay(503, null, attempt))).toEqual([500, 1000, 2000]);
    expect(retryDelayMs({ status: 503, retryAfter: null }, 30, { ...policy, attemptsMax: 99 }, nowMs)).toBe(
      10_000,
    );
  });

  test("obeys seconds and dates", () => {
    expect(delay(429, "2")).toBe(2000);
    expect(delay(429, "0")).toBe(0);
    expect(delay(429, "Thu, 01 Jan 2026 00:00:03 GMT")).toBe(3000);
    expect(delay(429, "Wed, 31 Dec 2025 00:00:00 GMT")).toBe(0);
  });

  test("falls back on its own pause when the header says nothing", () => {
    expect(delay(429, "soon")).toBe(500);
  });

  test("gives up when asked to wait longer than it may", () => {
    expect(delay(429, "11")).toBeNull();
  });

  test("gives up after the last attempt, and on every other status", () => {
    expect(delay(503, null, 4)).toBeNull();
    for (const status of [400, 401, 403, 404, 413, 500, 502, 504]) expect(delay(status, "0")).toBeNull();
    expect(retryDelayMs({ status: 429, retryAfter: "0" }, 1, noRetries, nowMs)).toBeNull();
    expect(defaultRetryPolicy.attemptsMax).toBeGreaterThan(1);
  });
});
