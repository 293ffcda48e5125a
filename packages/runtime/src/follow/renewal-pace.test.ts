import { expect, test } from "vitest";
import { RenewalPace } from "./renewal-pace.ts";

const MINUTE = 60_000;

const renewalsIn = (ms: number, isLost: boolean, startMs = 0): number[] => {
  let now = startMs;
  const pace = new RenewalPace(() => now);
  const at: number[] = [];
  for (; now < startMs + ms; now += 1000) if (pace.mayRenew(isLost)) at.push((now - startMs) / 1000);
  return at;
};

test("two renewals are prompt, later ones wait twice as long each time", () => {
  expect(renewalsIn(10 * MINUTE, false)).toEqual([0, 1, 16, 46, 106, 226, 466]);
});

test("what a server cannot replay is asked for after a minute, and then ever more seldom", () => {
  expect(renewalsIn(16 * MINUTE, true)).toEqual([60, 180, 420, 900]);
  const day = renewalsIn(24 * 60 * MINUTE, true);
  expect(day.length).toBeLessThan(55);
  expect(day.at(-1)! - day.at(-2)!).toBe(1800);
});

test("after a quiet time renewals are prompt again", () => {
  let now = 0;
  const pace = new RenewalPace(() => now);
  expect([pace.mayRenew(false), pace.mayRenew(false), pace.mayRenew(false)]).toEqual([true, true, false]);
  now += 11 * MINUTE;
  expect([pace.mayRenew(false), pace.mayRenew(false), pace.mayRenew(false)]).toEqual([true, true, false]);
});
