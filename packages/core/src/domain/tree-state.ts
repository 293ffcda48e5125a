import type { TreeCoverage } from "./coverage.ts";

/** What a ledger row of kind `tree` holds: which changes of the tree are indexed, as its JSON text. */
export interface TreeState {
  /** Sequence numbers seen, as ranges from-to, ascending, apart by at least one missing number. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  /** Highest sequence number the tree account itself has shown; null while the account is unknown. */
  readonly accountSeq: number | null;
}

/** Ranges below the highest one are given up beyond this; what they held counts as missing until it comes again. */
const treeRangesMax = 4096;

export const emptyTreeState: TreeState = { ranges: [], accountSeq: null };

/** @param text - as `writeTreeState` gives it */
export const parseTreeState = (text: string): TreeState => JSON.parse(text) as TreeState;

export const writeTreeState = ({ ranges, accountSeq }: TreeState): string =>
  `{"ranges":[${ranges.map(([from, to]) => `[${from},${to}]`).join(",")}],"accountSeq":${accountSeq}}`;

/** The state with these sequence numbers seen; the same in any order and however often they come. */
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

/** How far a tree is indexed. Number 0 is its creation, which changes no leaf: its absence is no gap. */
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
