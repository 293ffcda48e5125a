import type { Coverage } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { FollowTargets } from "@lamplight/sources";

/** What is followed: what the store covers, for nothing of it may grow old, and what was asked for beside. */
export interface FollowScope {
  readonly targets: FollowTargets;
  /** Of the store, once it holds all that. */
  readonly coverage: Coverage;
  /** What of it the store does not cover; null = nothing. */
  readonly lacking: FollowTargets | null;
}

/** @throws LamplightError `CLI__USAGE` for a store that covers what no node can be asked for, and for nothing to follow */
export const scopeOf = (known: Coverage, asked: FollowTargets): FollowScope => {
  if (known.kind === "whole") {
    throw usageError(
      "a store that covers the whole chain cannot follow an RPC node; follow a Yellowstone stream",
    );
  }
  if (known.owners.length + known.collections.length > 0) {
    throw usageError("a store that covers owners or collections cannot follow an RPC node");
  }
  if (known.mints.length > 0 && known.accounts === undefined) {
    // A load brings prints and collections with a mint, which nothing here would keep in step.
    throw usageError(
      "a store that was loaded for single mints cannot follow an RPC node; fill a new one from it",
    );
  }
  const { programs, mints, accounts = [], trees = [] } = known;
  const targets: FollowTargets = {
    programs: union(programs, asked.programs),
    accounts: union(accounts, asked.accounts),
    mints: union(mints, asked.mints),
    trees: union(trees, asked.trees),
  };
  if (countOf(targets) === 0)
    throw usageError("nothing to follow: name a --program, --account, --mint or --tree");
  const lacking: FollowTargets = {
    programs: without(asked.programs, programs),
    accounts: without(asked.accounts, accounts),
    mints: without(asked.mints, mints),
    trees: without(asked.trees, trees),
  };
  return {
    targets,
    lacking: countOf(lacking) === 0 ? null : lacking,
    coverage: { kind: "filtered", owners: [], collections: [], ...targets },
  };
};

const countOf = ({ programs, accounts, mints, trees }: FollowTargets): number =>
  programs.length + accounts.length + mints.length + trees.length;

const union = (a: readonly string[], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])];

const without = (a: readonly string[], b: readonly string[]): readonly string[] =>
  a.filter((each) => !b.includes(each));

const usageError = (reason: string): LamplightError => new LamplightError("CLI__USAGE", { reason });
