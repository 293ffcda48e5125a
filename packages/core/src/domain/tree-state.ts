import type { Slot } from "./address.ts";
import type { TreeCoverage } from "./coverage.ts";

/**
 * The indexed changes of one life of a tree. A tree can be closed and created again at its address: its changes then count
 * from 0 again. So numbers are comparable within a life only. Slots decide which life a change belongs to.
 */
export interface TreeLife {
  /** Indexed sequence numbers as ranges from-to, ascending; between two ranges at least one number is missing. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  /** Slots of the first and last change of each range; absent = not known. */
  readonly slots?: readonly (readonly [first: Slot, last: Slot])[];
  /** Highest sequence number in the tree account; null while the account is unknown. */
  readonly accountSeq: number | null;
  /** Slot of the creation; absent = not known. */
  readonly createdSlot?: Slot;
}

/**
 * The changes of a tree that are indexed: those of its newest life, and of the former ones. Stored as JSON text in a
 * compression state of kind `tree`.
 */
export interface TreeState extends TreeLife {
  /** Ascending by slot; absent = none. */
  readonly former?: readonly TreeLife[];
}

/** Updates of a tree, in any order. */
export interface TreeNews {
  /** Slots in which it was created. */
  readonly createdSlots: readonly Slot[];
  /** Changes that are indexed now. */
  readonly changes: readonly { readonly seq: number; readonly slot: Slot }[];
  /** Sequence numbers of the tree account, by the creation that it names. */
  readonly accounts: readonly { readonly seq: number; readonly createdSlot: Slot }[];
}

/** Most ranges that are kept. Beyond it the lowest are dropped, and their numbers count as missing until they come again. */
const TREE_RANGES_MAX = 4096;
/** Each former life keeps fewer: all of them together keep no more than the newest one. */
const FORMER_RANGES_MAX = 64;
/** Most lives that are kept. Beyond it the oldest are dropped: the leaves of later ones replaced what they wrote. */
const TREE_LIVES_MAX = 64;

export const emptyTreeState: TreeState = { ranges: [], accountSeq: null };

/** @param text - as `writeTreeState` gives it */
export const parseTreeState = (text: string): TreeState => JSON.parse(text) as TreeState;

export const writeTreeState = ({ former = [], ...newest }: TreeState): string =>
  `{${lifeText(newest)},"former":[${former.map((life) => `{${lifeText(life)}}`).join(",")}]}`;

const lifeText = ({ ranges, slots = [], accountSeq, createdSlot = 0 }: TreeLife): string =>
  `"ranges":${pairsText(ranges)},"slots":${pairsText(slots)},"accountSeq":${accountSeq},"createdSlot":${createdSlot}`;

const pairsText = (pairs: readonly (readonly [number, number])[]): string =>
  `[${pairs.map(([first, second]) => `[${first},${second}]`).join(",")}]`;

/**
 * The state after these updates. Their order and repeats do not matter, with one exception: where changes of two lives
 * were joined before the creation between them became known, that range is dropped. Its numbers count as missing until
 * they come again.
 */
export const withTreeNews = (state: TreeState, { createdSlots, changes, accounts }: TreeNews): TreeState => {
  const known = livesOf(state);
  const ranges = [
    ...known.flatMap(rangesOf),
    ...changes.map(({ seq, slot }): SeqRange => ({ from: seq, to: seq, firstSlot: slot, lastSlot: slot })),
  ];
  const counts = [
    ...known.map(({ createdSlot = 0, accountSeq: seq }) => ({ createdSlot, seq })),
    ...accounts,
  ];
  const starts = new Set([0, ...createdSlots, ...counts.map(({ createdSlot }) => createdSlot)]);
  const ascending = [...starts].toSorted((a, b) => a - b);
  const lives = ascending.map((createdSlot, index): TreeLife => {
    const end = ascending[index + 1] ?? Infinity;
    const ofLife = ranges.filter(({ firstSlot, lastSlot }) => firstSlot >= createdSlot && lastSlot < end);
    const seqs = counts.flatMap((count) => (count.createdSlot === createdSlot ? (count.seq ?? []) : []));
    const rangesMax = end === Infinity ? TREE_RANGES_MAX : FORMER_RANGES_MAX;
    return lifeOf(createdSlot, joined(ofLife, rangesMax), seqs.length === 0 ? null : Math.max(...seqs));
  });
  const [unknown, ...later] = lives as [TreeLife, ...TreeLife[]];
  const isEmpty = unknown.ranges.length === 0 && unknown.accountSeq === null;
  const kept = (isEmpty && later.length > 0 ? later : lives).slice(-TREE_LIVES_MAX);
  return { ...(kept.at(-1) as TreeLife), former: kept.slice(0, -1) };
};

const livesOf = ({ former = [], ...newest }: TreeState): readonly TreeLife[] => [...former, newest];

interface SeqRange {
  readonly from: number;
  readonly to: number;
  readonly firstSlot: Slot;
  readonly lastSlot: Slot;
}

const rangesOf = ({ ranges, slots }: TreeLife): SeqRange[] =>
  ranges.map(([from, to], index) => {
    const [firstSlot, lastSlot] = slots?.[index] ?? [0, 0];
    return { from, to, firstSlot, lastSlot };
  });

const lifeOf = (createdSlot: Slot, ranges: readonly SeqRange[], accountSeq: number | null): TreeLife => ({
  ranges: ranges.map(({ from, to }) => [from, to]),
  slots: ranges.map(({ firstSlot, lastSlot }) => [firstSlot, lastSlot]),
  accountSeq,
  createdSlot,
});

/** Ranges of one life, as few as possible. */
const joined = (all: readonly SeqRange[], rangesMax: number): readonly SeqRange[] => {
  const merged: SeqRange[] = [];
  for (const range of all.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || range.from > last.to + 1) merged.push(range);
    else {
      merged[merged.length - 1] = {
        from: last.from,
        to: Math.max(last.to, range.to),
        firstSlot: Math.min(last.firstSlot, range.firstSlot),
        lastSlot: Math.max(last.lastSlot, range.lastSlot),
      };
    }
  }
  return merged.length <= rangesMax ? merged : [...merged.slice(0, rangesMax - 1), ...merged.slice(-1)];
};

/**
 * The coverage of the first life of a tree that is not complete, or else of its newest life. Number 0 is the creation,
 * which changes no leaf, so it may be missing.
 */
export const treeCoverageOf = (tree: string, state: TreeState): TreeCoverage => {
  const coverages = livesOf(state).map((life) => lifeCoverageOf(tree, life));
  return coverages.find((coverage) => !isTreeComplete(coverage)) ?? (coverages.at(-1) as TreeCoverage);
};

const lifeCoverageOf = (tree: string, { ranges, accountSeq }: TreeLife): TreeCoverage => {
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
