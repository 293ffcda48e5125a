import { popcount } from "../bitmap/container.ts";

/** A match that waits in the tail of an order: it is before main entry `before`. */
export interface TailMatch {
  /** Its place in the tail. */
  readonly index: number;
  readonly ordinal: number;
  readonly before: number;
}

/**
 * Ranks `from` to `from + count - 1` of the matches, in order: `bits` marks the positions of matches in the main list,
 * `tail` (in order) holds those that wait next to it. Words before the window are skipped by their count.
 */
export const selectWindow = (
  bits: Uint32Array,
  main: Uint32Array,
  tail: readonly TailMatch[],
  from: number,
  count: number,
): number[] => {
  const found: number[] = [];
  let rank = 0;
  let nextTail = 0;
  const emit = (ordinal: number): void => {
    if (rank >= from && found.length < count) found.push(ordinal);
    rank++;
  };
  for (let index = 0; index < bits.length && found.length < count; index++) {
    const base = index * 32;
    let endTail = nextTail;
    while (endTail < tail.length && tail[endTail]!.before < base + 32) endTail++;
    const matches = popcount(bits[index]!) + endTail - nextTail;
    if (rank + matches <= from) {
      rank += matches;
      nextTail = endTail;
      continue;
    }
    for (let bit = 0; bit < 32; bit++) {
      while (nextTail < tail.length && tail[nextTail]!.before === base + bit) emit(tail[nextTail++]!.ordinal);
      if ((bits[index]! & (1 << bit)) !== 0) emit(main[base + bit]!);
    }
  }
  while (nextTail < tail.length && found.length < count) emit(tail[nextTail++]!.ordinal);
  return found;
};

/** Marked positions below `end`. */
export const countBelow = (bits: Uint32Array, end: number): number => {
  let count = 0;
  for (let index = 0; index < end >>> 5; index++) count += popcount(bits[index]!);
  const rest = end & 31;
  return rest === 0 ? count : count + popcount(bits[end >>> 5]! & (2 ** rest - 1));
};
