import type { OrdinalSet } from "../bitmap/ordinal-set.ts";
import type { CompareToPosition } from "./compare.ts";

/** The order of `sortBy: none`: ordinals as they are. Stable within a walk, since an ordinal never changes. */
export const storageOrder = {
  window: (matches: OrdinalSet, from: number, count: number): number[] => matches.slice(from, count),
  after: (matches: OrdinalSet, position: CompareToPosition, count: number): number[] =>
    matches.slice(
      firstRank(matches, (ordinal) => position(ordinal) > 0),
      count,
    ),
  /** Nearest first. */
  before: (matches: OrdinalSet, position: CompareToPosition, count: number): number[] => {
    const end = firstRank(matches, (ordinal) => position(ordinal) >= 0);
    const from = Math.max(0, end - count);
    return matches.slice(from, end - from).toReversed();
  },
};

/** Rank of the first member for which `holds`; the number of members when there is none. */
const firstRank = (matches: OrdinalSet, holds: (ordinal: number) => boolean): number => {
  let from = 0;
  let to = matches.size;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(matches.slice(middle, 1)[0]!)) to = middle;
    else from = middle + 1;
  }
  return from;
};
