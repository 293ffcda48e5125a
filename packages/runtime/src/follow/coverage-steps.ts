// The steps of a change of the coverage. Each gives the coverage after it; the same object where nothing changes.

import {
  type Coverage,
  type FilteredCoverage,
  type FillingProgram,
  newFilling,
  type Slot,
  withChanges,
} from "@lamplight/core";

/** Readiness and metrics show these changes of a coverage. */
export interface CoverageState {
  readonly filling: NonNullable<FilteredCoverage["filling"]>;
  readonly dropping: NonNullable<FilteredCoverage["dropping"]>;
}

export const stateOf = (coverage: Coverage): CoverageState => {
  const { filling = [], dropping = [] } = coverage.kind === "filtered" ? coverage : {};
  return { filling, dropping };
};

/** Readiness shows this of it. */
export const coverageDetail = ({ filling, dropping }: CoverageState): Partial<CoverageState> => ({
  ...(filling.length > 0 && { filling }),
  ...(dropping.length > 0 && { dropping }),
});

/** Share of the accounts of all programs that are being added which are in the store; 1 = none is added. */
export const filledShare = ({ filling }: CoverageState): number => {
  const shares = filling.map(({ accounts, total }) => (total === null || total === 0 ? 0 : accounts / total));
  return shares.length === 0 ? 1 : shares.reduce((sum, share) => sum + share, 0) / shares.length;
};

/** The source follows this coverage from a slot on, of what is being added only what is ready. */
export const withSince = (
  coverage: FilteredCoverage,
  since: Slot,
  isReady: (filling: FillingProgram) => boolean,
): FilteredCoverage => {
  const { filling, dropping } = stateOf(coverage);
  if ([...filling.filter(isReady), ...dropping].every((one) => one.since !== null)) return coverage;
  const noted = <One extends { readonly since: Slot | null }>(one: One): One => ({
    ...one,
    since: one.since ?? since,
  });
  return withChanges(coverage, {
    programs: coverage.programs,
    filling: filling.map((one) => (isReady(one) ? noted(one) : one)),
    dropping: dropping.map(noted),
  });
};

/** Each program that is being added is to be read again. */
export const readAgain = (coverage: Coverage): Coverage => {
  if (coverage.kind === "whole") return coverage;
  const { filling, dropping } = stateOf(coverage);
  return withChanges(coverage, {
    programs: coverage.programs,
    filling: filling.map(({ program }) => newFilling(program)),
    dropping,
  });
};

/** Notes how far a program is filled. */
export const withNote = (
  coverage: FilteredCoverage,
  program: string,
  {
    accounts,
    total,
    after,
    problem,
  }: Partial<Pick<FillingProgram, "accounts" | "total" | "after" | "problem">>,
): FilteredCoverage => {
  const { filling, dropping } = stateOf(coverage);
  const known = filling.find((one) => one.program === program);
  if (known === undefined) return coverage;
  const noted: FillingProgram = {
    ...known,
    ...(accounts === undefined ? {} : { accounts }),
    ...(total === undefined ? {} : { total }),
    ...(after === undefined ? {} : { after }),
    ...(problem === undefined ? {} : { problem }),
  };
  if (JSON.stringify(noted) === JSON.stringify(known)) return coverage;
  return withChanges(coverage, {
    programs: coverage.programs,
    filling: filling.map((one) => (one === known ? noted : one)),
    dropping,
  });
};

/** Everything of the program is in the store. */
export const covered = (coverage: FilteredCoverage, program: string): FilteredCoverage => {
  const { filling, dropping } = stateOf(coverage);
  if (!filling.some((one) => one.program === program)) return coverage;
  return withChanges(coverage, {
    programs: [...coverage.programs, program],
    filling: filling.filter((one) => one.program !== program),
    dropping,
  });
};

/** Nothing of the program is in the store. */
export const gone = (coverage: FilteredCoverage, program: string): FilteredCoverage => {
  const { filling, dropping } = stateOf(coverage);
  return withChanges(coverage, {
    programs: coverage.programs,
    filling,
    dropping: dropping.filter((one) => one.program !== program),
  });
};

/** The source follows the transactions of one more tree. */
export const withTree = (coverage: FilteredCoverage, tree: string): FilteredCoverage => {
  const { trees = [] } = coverage;
  return trees.includes(tree) ? coverage : { ...coverage, trees: [...trees, tree] };
};
