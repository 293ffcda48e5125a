import { expect, test } from "vitest";
import type { FilteredCoverage } from "./coverage.ts";
import {
  isChangeable,
  parseCoverageRequest,
  takeRequest,
  withRequest,
  withTrees,
  writeCoverageRequest,
} from "./coverage-request.ts";

const of = (programs: readonly string[], more: Partial<FilteredCoverage> = {}): FilteredCoverage => ({
  kind: "filtered",
  programs,
  owners: [],
  mints: [],
  collections: [],
  ...more,
});
const filling = (program: string) => ({ program, since: null, accounts: 0, total: null, problem: null });
const nothing = parseCoverageRequest(null);

test("the newest request counts for each program", () => {
  const first = withRequest(nothing, { add: ["a", "b"], drop: ["c"] });
  expect(first).toEqual({ add: ["a", "b"], drop: ["c"] });
  expect(withRequest(first, { add: ["c"], drop: ["a"] })).toEqual({ add: ["b", "c"], drop: ["a"] });
});

test("what is added is filled, and what is dropped is no program of the coverage any more", () => {
  const { coverage, waiting } = takeRequest(of(["a", "b"], { accounts: ["x"] }), { add: ["c"], drop: ["a"] });
  expect(coverage).toEqual(
    of(["b"], { accounts: ["x"], filling: [filling("c")], dropping: [{ program: "a", since: null }] }),
  );
  expect(waiting).toEqual(nothing);
});

test("what is so already stays", () => {
  const known = of(["a"], { filling: [{ ...filling("b"), since: 7 }] });
  expect(takeRequest(known, { add: ["a", "b"], drop: ["z"] })).toEqual({ coverage: known, waiting: nothing });
});

test("a program that is being added can be given up, and is added again once its rows are gone", () => {
  const given = takeRequest(of([], { filling: [filling("a")] }), { add: [], drop: ["a"] });
  expect(given.coverage).toEqual(of([], { dropping: [{ program: "a", since: null }] }));
  const again = takeRequest(given.coverage, { add: ["a"], drop: [] });
  expect(again).toEqual({ coverage: given.coverage, waiting: { add: ["a"], drop: [] } });
  expect(takeRequest(of([]), again.waiting).coverage).toEqual(of([], { filling: [filling("a")] }));
});

test("trees wait until they are dropped, beside what is asked for of programs", () => {
  const asked = withTrees(withRequest(nothing, { add: ["a"], drop: [] }), { add: ["t", "u"], drop: [] });
  expect(asked).toEqual({ add: ["a"], drop: [], trees: ["t", "u"] });
  const { waiting } = takeRequest(of([]), asked);
  expect(waiting).toEqual({ ...nothing, trees: ["t", "u"] });
  // A request that only waits is not written again.
  const text = writeCoverageRequest(waiting)!;
  expect(writeCoverageRequest(takeRequest(of([]), parseCoverageRequest(text)).waiting)).toBe(text);
  const one = withTrees(waiting, { add: ["u"], drop: ["t"] });
  expect(one).toEqual({ ...nothing, trees: ["u"] });
  expect(writeCoverageRequest(withTrees(one, { add: [], drop: ["u"] }))).toBeNull();
});

test("only a coverage of programs and single accounts can be changed", () => {
  expect(isChangeable(of(["a"], { accounts: ["x"], trees: ["t"] }))).toBe(true);
  expect(isChangeable({ kind: "whole" })).toBe(false);
  for (const more of [
    { owners: ["o"] },
    { mints: ["m"] },
    { collections: ["c"] },
    { dumps: true },
    { everyProgram: true },
  ] as const)
    expect(isChangeable(of(["a"], more))).toBe(false);
});
