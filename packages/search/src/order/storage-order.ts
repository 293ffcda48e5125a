import type { CountedSet } from "../bitmap/member-set.ts";
import type { CompareToPosition } from "./compare.ts";

/** The order of `sortBy: none`: ordinals as they are. Stable within a walk, since an ordinal never changes. */
export const storageOrder = {
  window: (matches: CountedSet, from: number, count: number): number[] => matches.slice(from, count),
  after: (matches: CountedSet, position: CompareToPosition, count: number): number[] =>
    matches.slice(matches.rankOf(firstOrdinal((ordinal) => position(ordinal) > 0)), count),
  /** Nearest first. */
  before: (matches: CountedSet, position: CompareToPosition, count: number): number[] => {
    const end = matches.rankOf(firstOrdinal((ordinal) => position(ordinal) >= 0));
    const from = Math.max(0, end - count);
    return matches.slice(from, end - from).toReversed();
  },
};

/** One past the last ordinal that there can be. */
const END = 2 ** 32;

/** The first ordinal, of an asset or not, for which `holds`. */
const firstOrdinal = (holds: (ordinal: number) => boolean): number => {
  let from = 0;
  let to = END;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
};
