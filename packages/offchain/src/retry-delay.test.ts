import { describe, expect, test } from "vitest";
import { retryDelayMs } from "./retry-delay.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const middle = 0.5;

const plan = (status: Parameters<typeof retryDelayMs>[0]): readonly (number | null)[] =>
  Array.from({ length: 7 }, (_, index) => retryDelayMs(status, index + 1, null, middle));

describe("retryDelayMs", () => {
  test("a failing network is tried for two weeks, longer and longer apart", () => {
    expect(plan("failed")).toEqual([minute, 10 * minute, hour, 6 * hour, day, 7 * day, null]);
  });

  test("what is not there is looked for twice more, what is not JSON once, what is refused never", () => {
    expect(plan("gone").slice(0, 3)).toEqual([day, 7 * day, null]);
    expect(plan("notJson").slice(0, 2)).toEqual([day, null]);
    expect(plan("refused")[0]).toBeNull();
    expect(plan("tooLarge")[0]).toBeNull();
  });

  test("waits vary by a fifth", () => {
    expect(retryDelayMs("failed", 1, null, 0)).toBe(0.8 * minute);
    expect(retryDelayMs("failed", 1, null, 1)).toBe(1.2 * minute);
  });

  test("a server may ask for more, up to a week, not for less", () => {
    expect(retryDelayMs("failed", 1, hour, middle)).toBe(hour);
    expect(retryDelayMs("failed", 1, 1, middle)).toBe(minute);
    expect(retryDelayMs("failed", 1, 1000 * day, middle)).toBe(7 * day);
  });
});
