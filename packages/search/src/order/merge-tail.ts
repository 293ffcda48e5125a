import type { CompareOrdinals } from "./compare.ts";

/** Ordinals in order, each with the index of the main entry it is before. */
export interface SortedTail {
  readonly ordinals: Uint32Array;
  readonly before: Uint32Array;
}

/** Merges additions into the tail. A few additions cost a few comparisons, because the rest is copied in runs. */
export const mergeTail = (tail: SortedTail, added: SortedTail, compare: CompareOrdinals): SortedTail => {
  const length = tail.ordinals.length + added.ordinals.length;
  const merged: SortedTail = { ordinals: new Uint32Array(length), before: new Uint32Array(length) };
  let from = 0;
  for (let index = 0; index < added.ordinals.length; index++) {
    const ordinal = added.ordinals[index]!;
    const to = firstNotBefore(tail.ordinals, from, (other) => compare(other, ordinal) < 0);
    copyRun(tail, from, to, merged, from + index);
    merged.ordinals[to + index] = ordinal;
    merged.before[to + index] = added.before[index]!;
    from = to;
  }
  copyRun(tail, from, tail.ordinals.length, merged, from + added.ordinals.length);
  return merged;
};

const copyRun = (source: SortedTail, from: number, to: number, target: SortedTail, at: number): void => {
  target.ordinals.set(source.ordinals.subarray(from, to), at);
  target.before.set(source.before.subarray(from, to), at);
};

const firstNotBefore = (
  sorted: Uint32Array,
  start: number,
  isBefore: (ordinal: number) => boolean,
): number => {
  let from = start;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isBefore(sorted[middle]!)) from = middle + 1;
    else to = middle;
  }
  return from;
};
