import { type Coverage, type Slot, withChanges } from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import type { FollowTargets, RpcSource } from "@lamplight/sources/rpc";
import { stateOf } from "./coverage-steps.ts";

/** The targets: all that the store covers, so that no part becomes outdated, and those that the settings add. */
export interface FollowScope {
  readonly targets: FollowTargets;
  /** The part that the store does not cover; null = nothing. */
  readonly lacking: FollowTargets | null;
  /** Programs that were named, and are not followed: their rows are being removed. */
  readonly removed: readonly string[];
}

/**
 * A store of the whole chain follows everything that the node has. So does a new store without targets.
 *
 * @param isNew - whether nothing was ever indexed
 * @throws LamplightError `CLI__USAGE` for a store whose coverage a node cannot report, and for no target
 */
export const scopeOf = (known: Coverage, asked: FollowTargets, isNew = false): FollowScope => {
  if (known.kind === "whole") return { targets: everything(asked.trees), lacking: null, removed: [] };
  if (known.dumps === true) {
    throw usageError(
      "a store of account dumps cannot follow an RPC node: the dumped accounts would become outdated; fill a new store from the node",
    );
  }
  if (known.owners.length + known.collections.length > 0) {
    throw usageError("a store that covers owners or collections cannot follow an RPC node");
  }
  if (known.mints.length > 0 && known.accounts === undefined) {
    // A load adds prints and collections of a mint, which an RPC node does not keep in sync.
    throw usageError(
      "a store that was loaded for single mints cannot follow an RPC node; fill a new one from it",
    );
  }
  const { filling, dropping } = stateOf(known);
  // A service is started with the same names again, and only a follower removes the rows.
  const removed = asked.programs.filter((named) => dropping.some(({ program }) => program === named));
  const named = without(asked.programs, removed);
  if (filling.length + dropping.length > 0 && asked.mints.length > 0) {
    throw usageError(
      "programs of the store are still being added or removed; start without --mint until that is done",
    );
  }
  const { programs, mints, accounts = [], trees = [], everyProgram = false } = known;
  const targets: FollowTargets = {
    programs: union(programs, named),
    accounts: union(accounts, asked.accounts),
    mints: union(mints, asked.mints),
    trees: union(trees, asked.trees),
    everyProgram,
  };
  if (countOf(targets) + filling.length + dropping.length === 0) {
    if (isNew) return { targets: everything([]), lacking: null, removed };
    throw usageError("nothing to follow: name a --program, --account, --mint or --tree");
  }
  const lacking: FollowTargets = {
    programs: without(named, programs),
    accounts: without(asked.accounts, accounts),
    mints: without(asked.mints, mints),
    trees: without(asked.trees, trees),
  };
  return { targets, lacking: countOf(lacking) === 0 ? null : lacking, removed };
};

/**
 * A store's coverage once all of this is filled, as of a finalized slot.
 *
 * @param known - its coverage before
 */
export const coverageOf = (
  { everyProgram = false, ...targets }: FollowTargets,
  { programs }: Pick<RpcSource, "programs">,
  slot: Slot,
  known: Coverage,
): Coverage => {
  const { filling, dropping } = stateOf(known);
  const filtered = withChanges(
    { kind: "filtered", owners: [], collections: [], ...targets },
    {
      programs: targets.programs,
      filling: filling.filter(({ program }) => !targets.programs.includes(program)),
      dropping,
    },
  );
  if (!everyProgram) return filtered;
  const { isEverything, programs: covered } = programs.coveredAt(slot);
  return isEverything ? { kind: "whole" } : { ...filtered, programs: covered, everyProgram: true };
};

const everything = (trees: readonly string[]): FollowTargets => ({
  programs: [],
  accounts: [],
  mints: [],
  trees,
  everyProgram: true,
});

const countOf = ({ programs, accounts, mints, trees }: FollowTargets): number =>
  programs.length + accounts.length + mints.length + trees.length;

const union = (a: readonly string[], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])];

const without = (a: readonly string[], b: readonly string[]): readonly string[] =>
  a.filter((each) => !b.includes(each));
