import { type FilteredCoverage, newFilling } from "@lamplight/core";
import type { FollowTargets } from "@lamplight/sources/rpc";
import { expect, test } from "vitest";
import { coverageOf, scopeOf } from "./rpc-coverage.ts";

const nothing: FollowTargets = { programs: [], accounts: [], mints: [], trees: [] };
const changing: FilteredCoverage = {
  kind: "filtered",
  programs: ["a"],
  owners: [],
  mints: [],
  collections: [],
  filling: [newFilling("b"), newFilling("c")],
  dropping: [{ program: "d", since: 7 }],
};
const noPrograms = { programs: { revision: 0, coveredAt: () => ({ isEverything: false, programs: [] }) } };

test("programs that are being added are not followed from the start, unless they are named", () => {
  expect(scopeOf(changing, nothing)).toMatchObject({ targets: { programs: ["a"] }, lacking: null });
  const named = scopeOf(changing, { ...nothing, programs: ["b"] });
  expect(named).toMatchObject({ targets: { programs: ["a", "b"] }, lacking: { programs: ["b"] } });
  expect(coverageOf(named.targets, noPrograms, 9, changing)).toMatchObject({
    programs: ["a", "b"],
    filling: [newFilling("c")],
    dropping: [{ program: "d", since: 7 }],
  });
});

test("a store whose last program changes is followed", () => {
  expect(scopeOf({ ...changing, programs: [] }, nothing).targets.programs).toEqual([]);
  const { filling: _, dropping: __, ...nothingLeft } = { ...changing, programs: [] };
  expect(() => scopeOf(nothingLeft, nothing)).toThrow("nothing to follow");
});

test("what is still being removed is not asked for, and no mint is added before all changes are made", () => {
  expect(scopeOf(changing, { ...nothing, programs: ["d"] })).toMatchObject({
    targets: { programs: ["a"] },
    lacking: null,
    removed: ["d"],
  });
  expect(() => scopeOf(changing, { ...nothing, mints: ["m"] })).toThrow("start without --mint");
});
