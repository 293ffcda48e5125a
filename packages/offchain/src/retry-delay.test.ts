import { describe, expect, test } from "vitest";
import { retryDelayMs } from "./retry-delay.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MIDDLE = 0.5;

const plan = (status: Parameters<typeof retryDelayMs>[0]): readonly (number | null)[] =>
  Array.from({ length: 7 }, (_, index) => retryDelayMs(status, index + 1, null, MIDDLE));

describe("retryDelayMs", () => {
  test("a failing network is tried for two weeks, longer and longer apart", () => {
    expect(plan("failed")).toEqual([MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, null]);
  });

  test("what is not there is looked for twice more, what is not JSON once, what is refused never", () => {
    expect(plan("gone").slice(0, 3)).toEqual([DAY, 7 * DAY, null]);
    expect(plan("notJson").slice(0, 2)).toEqual([DAY, null]);
    expect(plan("refused")[0]).toBeNull();
    expect(plan("tooLarge")[0]).toBeNull();
  });

  test("waits vary by a fifth", () => {
    expect(retryDelayMs("failed", 1, null, 0)).toBe(0.8 * MINUTE);
    expect(retryDelayMs("failed", 1, null, 1)).toBe(1.2 * MINUTE);
  });

  test("a server may ask for more, up to a week, not for less", () => {
    expect(retryDelayMs("failed", 1, HOUR, MIDDLE)).toBe(HOUR);
    expect(retryDelayMs("failed", 1, 1, MIDDLE)).toBe(MINUTE);
    expect(retryDelayMs("failed", 1, 1000 * DAY, MIDDLE)).toBe(7 * DAY);
  });
});
