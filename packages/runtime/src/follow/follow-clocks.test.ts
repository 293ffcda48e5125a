import { SlotRate } from "@lamplight/core";
import { expect, onTestFinished, test } from "vitest";
import { FollowClocks } from "./follow-clocks.ts";

test("measures the chain by the source's slots, not by what was read", () => {
  let nowMs = 0;
  let [source, read] = [1000, 10];
  const rate = new SlotRate();
  const clocks = new FollowClocks(
    () => ({ source, read }),
    null,
    rate,
    () => nowMs,
  );
  onTestFinished(() => clocks.close());
  expect(clocks.times.slotsPerSecond).toBe(2.5);
  for (let second = 0; second < 120; second += 1) {
    nowMs += 1000;
    source += 5;
    // A follower that catches up.
    read += 9;
    void clocks.times;
  }
  expect(clocks.times.slotsPerSecond).toBe(5);
  expect(rate.slotsIn(60)).toBe(300);
});
