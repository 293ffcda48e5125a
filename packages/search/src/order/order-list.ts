import type { CompareToPosition } from "./compare.ts";
import type { NumberParts } from "../number-parts.ts";
import type { SortedTail } from "./merge-tail.ts";

/** Position entry of an ordinal that is nowhere. */
export const ABSENT = 0xffff_ffff;
/** Position entry of an ordinal in the tail; every smaller one is an index of the main list. */
export const IN_TAIL = 0xffff_fffe;

/** Ordinals in order: a sorted main list, and a short sorted tail of those added or moved since. */
export interface OrderList {
  /** An entry counts only while `positions` of its ordinal points back at it. */
  main: NumberParts;
  positions: NumberParts;
  /** The entries of `main` that count, as bits. */
  live: Uint32Array;
  /** How many of them there are in each bucket: see `MatchBuckets`. */
  liveCounts: Uint32Array;
  tail: SortedTail;
}

/** Whether that main entry counts. */
export const isLive = (live: Uint32Array, index: number): boolean =>
  (live[index >>> 5]! & (1 << (index & 31))) !== 0;

/** The main entries at these places, which ascend, with those that wait before them. */
export const inOrder = (
  main: NumberParts,
  places: Uint32Array,
  { ordinals, before }: SortedTail,
): number[] => {
  const sorted: number[] = [];
  let next = 0;
  for (const place of places) {
    while (next < ordinals.length && before[next]! <= place) sorted.push(ordinals[next++]!);
    sorted.push(main.get(place));
  }
  while (next < ordinals.length) sorted.push(ordinals[next++]!);
  return sorted;
};

/** Indexes of the first entries of main list and tail at or after a position. */
export const findPlace = (
  list: OrderList,
  compare: CompareToPosition,
): { readonly main: number; readonly tail: number } => {
  const { ordinals } = list.tail;
  let from = 0;
  let to = ordinals.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compare(ordinals[middle]!) < 0) from = middle + 1;
    else to = middle;
  }
  return { main: findInMain(list, compare), tail: from };
};

/** The first ordinal at or after a position; null past the last. */
export const firstFrom = (list: OrderList, compare: CompareToPosition): number | null => {
  const place = findPlace(list, compare);
  const { ordinals, before } = list.tail;
  const main = liveAtOrAfter(list.live, place.main, list.main.length);
  const waits = place.tail < ordinals.length && before[place.tail]! <= main;
  if (waits) return ordinals[place.tail]!;
  return main < list.main.length ? list.main.get(main) : null;
};

/** Index of the first main entry at or after the position. Stale entries stay at the positions of their old keys. */
export const findInMain = ({ main, live }: OrderList, compare: CompareToPosition): number => {
  let from = 0;
  let to = main.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const probe = liveAtOrAfter(live, middle, to);
    if (probe === to) to = middle;
    else if (compare(main.get(probe)) < 0) from = probe + 1;
    else to = middle;
  }
  return from;
};

/** Stale entries may compare otherwise now, so probes move on to a live one. */
const liveAtOrAfter = (live: Uint32Array, index: number, end: number): number => {
  let probe = index;
  while (probe < end && !isLive(live, probe)) probe++;
  return probe;
};
