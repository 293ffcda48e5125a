import { expect, test } from "vitest";
import { findFarBehind } from "./far-behind.ts";

const FAR = 1_000_000_000;
const SLOTS_AHEAD_MAX = 4500;

test("a node far behind what it reported before is believed, down to what is finalized", () => {
  expect(findFarBehind({ emitted: FAR, finalized: 1_000 }, 1_200, 0, SLOTS_AHEAD_MAX)).toEqual({
    reason: `the node is at slot 1200, far behind slot ${FAR} that it reported before`,
    mustRollBack: true,
  });
  expect(findFarBehind({ emitted: FAR, finalized: FAR }, 1_200, 0, SLOTS_AHEAD_MAX)).toEqual({
    reason: `the node is at slot 1200, far behind slot ${FAR} of the store`,
    mustRollBack: false,
  });
});

test("where it was believed to be far away, all that was read then is given up", () => {
  expect(findFarBehind({ emitted: 1_000, finalized: 1_000 }, 1_200, FAR, SLOTS_AHEAD_MAX)?.mustRollBack).toBe(
    true,
  );
});

test("a node that is a little behind is followed", () => {
  const line = { emitted: 1_000 + SLOTS_AHEAD_MAX, finalized: 900 };
  expect(findFarBehind(line, 1_000, line.emitted, SLOTS_AHEAD_MAX)).toBe(null);
  expect(findFarBehind(line, 999, 0, SLOTS_AHEAD_MAX)).not.toBe(null);
});
