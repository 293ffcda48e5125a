import type { AssetColumns } from "../asset-columns.ts";
import { BLOCK_SIZE, forEachMember } from "../bitmap/container.ts";
import type { CountedSet } from "../bitmap/member-set.ts";
import { NumberParts } from "../number-parts.ts";
import { sliceBounds, type Slices } from "../slices.ts";

// Sorting millions with a comparing function takes seconds. Sorting by the digits of a number passes over them a few
// times instead, keeps the order of equals, and can pause anywhere.

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const WORD_BITS = 32;
const WORD = 2 ** WORD_BITS;

/** The members, ascending. The set must not change in the meantime. */
export function* listOrdinals(members: CountedSet, partBits?: number): Slices<NumberParts> {
  const ordinals = new NumberParts(partBits);
  ordinals.resize(members.size);
  let next = 0;
  for (let index = 0; index < members.blockCount; index++) {
    const block = members.block(index);
    const base = index * BLOCK_SIZE;
    if (block !== undefined) forEachMember(block, (low) => ordinals.set(next++, base + low));
    yield;
  }
  return ordinals;
}

/** Sorts by the prefix of the id. Ids that share their first four bytes are few, and compared. */
export function* sortByPrefix(columns: AssetColumns, ordinals: NumberParts): Slices<NumberParts> {
  const sorted = yield* sortByWord(ordinals, (ordinal) => columns.word(ordinal));
  for (const [from, to] of sliceBounds(sorted.length)) {
    sortRuns(
      sorted,
      from,
      to,
      (ordinal) => columns.word(ordinal),
      (a, b) => columns.prefix(a) - columns.prefix(b),
    );
    yield;
  }
  return sorted;
}

/** Those, in order of their prefixes, that share theirs with another. */
export function* listTied(columns: AssetColumns, byPrefix: NumberParts): Slices<number[]> {
  const tied: number[] = [];
  for (const [from, to] of sliceBounds(byPrefix.length)) {
    for (let index = Math.max(1, from); index < to; index++) {
      const [before, ordinal] = [byPrefix.get(index - 1), byPrefix.get(index)];
      if (columns.prefix(before) !== columns.prefix(ordinal)) continue;
      if (tied.at(-1) !== before) tied.push(before);
      tied.push(ordinal);
    }
    yield;
  }
  return tied;
}

/** Puts those that share a prefix in order of their whole ids, which are known. */
export function* sortTied(columns: AssetColumns, byPrefix: NumberParts): Slices {
  for (const [from, to] of sliceBounds(byPrefix.length)) {
    sortRuns(
      byPrefix,
      from,
      to,
      (ordinal) => columns.prefix(ordinal),
      (a, b) => columns.compareIds(a, b),
    );
    yield;
  }
}

/** By slot, ties by id, of ordinals that are sorted by id. */
export function* sortBySlot(byId: NumberParts, slotOf: (ordinal: number) => number): Slices<NumberParts> {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const [from, to] of sliceBounds(byId.length)) {
    for (let index = from; index < to; index++) {
      const slot = slotOf(byId.get(index));
      if (slot < first) first = slot;
      if (slot > last) last = slot;
    }
    yield;
  }
  const sorted = yield* sortByWord(byId, (ordinal) => (slotOf(ordinal) - first) % WORD);
  if (last - first < WORD) return sorted;
  return yield* sortByWord(sorted, (ordinal) => Math.floor((slotOf(ordinal) - first) / WORD));
}

/** A copy sorted by a key of 32 bits; equals stay as they stand. */
function* sortByWord(ordinals: NumberParts, wordOf: (ordinal: number) => number): Slices<NumberParts> {
  const slices = sliceBounds(ordinals.length);
  let source: Keyed = { ordinals: yield* ordinals.copied(), words: ordinals.emptied() };
  let target: Keyed = { ordinals: ordinals.emptied(), words: ordinals.emptied() };
  for (const [from, to] of slices) {
    for (let index = from; index < to; index++) source.words.set(index, wordOf(ordinals.get(index)));
    yield;
  }
  for (let shift = 0; shift < WORD_BITS; shift += DIGIT_BITS) {
    const places = new Uint32Array(DIGITS);
    for (const [from, to] of slices) {
      countDigits(source.words.view(from, to), shift, places);
      yield;
    }
    // A digit that is equal in all keys moves nothing.
    if (places.includes(ordinals.length)) continue;
    toFirstPlaces(places);
    for (const [from, to] of slices) {
      moveByDigit(source.ordinals.view(from, to), source.words.view(from, to), shift, places, target);
      yield;
    }
    [source, target] = [target, source];
  }
  return source.ordinals;
}

interface Keyed {
  readonly ordinals: NumberParts;
  readonly words: NumberParts;
}

const countDigits = (words: Uint32Array, shift: number, counts: Uint32Array): void => {
  for (let index = 0; index < words.length; index++) counts[(words[index]! >>> shift) & (DIGITS - 1)]!++;
};

/** Counts of each digit to the place of its first entry. */
const toFirstPlaces = (counts: Uint32Array): void => {
  let place = 0;
  for (let digit = 0; digit < counts.length; digit++) {
    const count = counts[digit]!;
    counts[digit] = place;
    place += count;
  }
};

const moveByDigit = (
  ordinals: Uint32Array,
  words: Uint32Array,
  shift: number,
  places: Uint32Array,
  target: Keyed,
): void => {
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const place = places[(word >>> shift) & (DIGITS - 1)]!++;
    target.words.set(place, word);
    target.ordinals.set(place, ordinals[index]!);
  }
};

/** Sorts each run of one key that begins between the bounds. */
const sortRuns = (
  sorted: NumberParts,
  from: number,
  to: number,
  keyOf: (ordinal: number) => number,
  compare: (a: number, b: number) => number,
): void => {
  let start = from;
  const keyAt = (index: number): number => keyOf(sorted.get(index));
  while (start > 0 && start < to && keyAt(start) === keyAt(start - 1)) start++;
  while (start < to) {
    let end = start + 1;
    while (end < sorted.length && keyAt(end) === keyAt(start)) end++;
    if (end > start + 1)
      for (const [index, ordinal] of sorted.view(start, end).toSorted(compare).entries())
        sorted.set(start + index, ordinal);
    start = end;
  }
};
