import { expect, test } from "vitest";
import { findFarBehind } from "./far-behind.ts";

const far = 1_000_000_000;
const slotsAheadMax = 4500;

test("a node far behind what it reported before is believed, down to what is finalized", () => {
  expect(findFarBehind({ emitted: far, finalized: 1_000 }, 1_200, 0, slotsAheadMax)).toEqual({
    reason: `the node is at slot 1200, far behind slot ${far} that it reported before`,
    mustRollBack: true,
  });
  expect(findFarBehind({ emitted: far, finalized: far }, 1_200, 0, slotsAheadMax)).toEqual({
    reason: `the node is at slot 1200, far behind slot ${far} of the store`,
    mustRollBack: false,
  });
});

test("where it was believed to be far away, all that was read then is given up", () => {
  expect(findFarBehind({ emitted: 1_000, finalized: 1_000 }, 1_200, far, slotsAheadMax)?.mustRollBack).toBe(
    true,
  );
});

test("a node that is a little behind is followed", () => {
  const line = { emitted: 1_000 + slotsAheadMax, finalized: 900 };
  expect(findFarBehind(line, 1_000, line.emitted, slotsAheadMax)).toBe(null);
  expect(findFarBehind(line, 999, 0, slotsAheadMax)).not.toBe(null);
});
