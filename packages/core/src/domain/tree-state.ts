import type { TreeCoverage } from "./coverage.ts";

/** Which changes of a tree are indexed. Stored as JSON text in a compression state of kind `tree`. */
export interface TreeState {
  /** Indexed sequence numbers as ranges from-to, ascending; between two ranges at least one number is missing. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  /** Highest sequence number in the tree account; null while the account is unknown. */
  readonly accountSeq: number | null;
}

/** Most ranges that are kept. Beyond it the lowest are dropped, and their numbers count as missing until they come again. */
const treeRangesMax = 4096;

export const emptyTreeState: TreeState = { ranges: [], accountSeq: null };

/** @param text - as `writeTreeState` gives it */
export const parseTreeState = (text: string): TreeState => JSON.parse(text) as TreeState;

export const writeTreeState = ({ ranges, accountSeq }: TreeState): string =>
  `{"ranges":[${ranges.map(([from, to]) => `[${from},${to}]`).join(",")}],"accountSeq":${accountSeq}}`;

/** The state after these sequence numbers. Their order and repeats do not matter. */
export const withSeqs = (state: TreeState, seqs: readonly number[]): TreeState => {
  const all = [...state.ranges, ...seqs.map((seq): readonly [number, number] => [seq, seq])];
  const merged: [number, number][] = [];
  for (const [from, to] of all.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  const ranges =
    merged.length <= treeRangesMax ? merged : [...merged.slice(0, treeRangesMax - 1), ...merged.slice(-1)];
  return { ...state, ranges };
};

/** How far a tree is indexed. Number 0 is its creation, which changes no leaf, so it may be missing. */
export const treeCoverageOf = (tree: string, { ranges, accountSeq }: TreeState): TreeCoverage => {
  const first = ranges[0];
  return {
    tree,
    completeThroughSeq: first !== undefined && first[0] <= 1 ? first[1] : 0,
    highestSeq: ranges.at(-1)?.[1] ?? 0,
    accountSeq,
  };
};

/** Whether every change up to the highest number known, from events or from the account, is indexed. */
export const isTreeComplete = ({ completeThroughSeq, highestSeq, accountSeq }: TreeCoverage): boolean =>
  completeThroughSeq >= Math.max(highestSeq, accountSeq ?? 0);
