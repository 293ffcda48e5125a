import type { Coverage, FillingProgram, FilteredCoverage } from "./coverage.ts";

/** Name of the request among a store's settings. */
export const coverageRequestKey = "coverage_request";

/** An operator asks for these changes of a store's coverage. Addresses are base58 text. The process that follows does it. */
export interface CoverageRequest {
  readonly add: readonly string[];
  readonly drop: readonly string[];
  /** Incomplete trees whose transactions are to be read from an RPC node; absent = none. */
  readonly trees?: readonly string[];
}

/** @param text - as a store keeps it; null = nothing is asked for */
export const parseCoverageRequest = (text: string | null): CoverageRequest =>
  text === null ? { add: [], drop: [] } : (JSON.parse(text) as CoverageRequest);

/** A request with one more change of programs. The newest one counts for each program. */
export const withRequest = (known: CoverageRequest, more: CoverageRequest): CoverageRequest => ({
  ...known,
  add: [...without(known.add, [...more.add, ...more.drop]), ...more.add],
  drop: [...without(known.drop, [...more.add, ...more.drop]), ...more.drop],
});

/** A request with other trees. */
export const withTrees = (
  { trees = [], ...known }: CoverageRequest,
  { add, drop }: { readonly add: readonly string[]; readonly drop: readonly string[] },
): CoverageRequest => {
  const asked = [...without(trees, [...add, ...drop]), ...add];
  return asked.length === 0 ? known : { ...known, trees: asked };
};

/** The text that a store keeps; null = nothing is asked for. */
export const writeCoverageRequest = (request: CoverageRequest): string | null => {
  const { add, drop, trees = [] } = request;
  return add.length + drop.length + trees.length === 0 ? null : JSON.stringify(request);
};

/**
 * The coverage once a request is taken: what is added is filled, and what is dropped is refused from then on. What is so
 * already stays. A program whose rows are still being removed is not added before they are gone.
 *
 * @returns the coverage, and the part of the request that has to wait
 */
export const takeRequest = (
  coverage: FilteredCoverage,
  { add, drop, ...others }: CoverageRequest,
): { readonly coverage: FilteredCoverage; readonly waiting: CoverageRequest } => {
  const { programs, filling = [], dropping = [] } = coverage;
  const isDropping = (program: string): boolean => dropping.some((one) => one.program === program);
  const isKnown = (program: string): boolean =>
    programs.includes(program) || filling.some((one) => one.program === program);
  const added = add.filter((program) => !isKnown(program) && !isDropping(program));
  const dropped = drop.filter((program) => isKnown(program) && !isDropping(program));
  return {
    coverage: withChanges(coverage, {
      programs: without(programs, dropped),
      filling: [...filling.filter(({ program }) => !dropped.includes(program)), ...added.map(newFilling)],
      dropping: [...dropping, ...dropped.map((program) => ({ program, since: null }))],
    }),
    waiting: { add: add.filter(isDropping), drop: [], ...others },
  };
};

/** A program of which nothing was read yet. */
export const newFilling = (program: string): FillingProgram => ({
  program,
  since: null,
  accounts: 0,
  total: null,
  problem: null,
});

/** A coverage with other programs. Empty lists of what changes are left out. */
export const withChanges = (
  coverage: FilteredCoverage,
  { programs, filling, dropping }: Required<Pick<FilteredCoverage, "programs" | "filling" | "dropping">>,
): FilteredCoverage => {
  const { filling: _, dropping: __, ...kept } = coverage;
  return {
    ...kept,
    programs,
    ...(filling.length === 0 ? {} : { filling }),
    ...(dropping.length === 0 ? {} : { dropping }),
  };
};

/** Whether a coverage can be changed while it is followed: it is one of whole programs and single accounts. */
export const isChangeable = (coverage: Coverage): coverage is FilteredCoverage => {
  if (coverage.kind === "whole") return false;
  const { owners, mints, collections, dumps, everyProgram } = coverage;
  const others = owners.length + mints.length + collections.length;
  return others === 0 && dumps !== true && everyProgram !== true;
};

const without = (all: readonly string[], some: readonly string[]): readonly string[] =>
  all.filter((one) => !some.includes(one));
