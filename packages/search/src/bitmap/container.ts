// A container holds the members of one block of 65,536 ordinals: few as a sorted list, many as bits.
// The two forms and the limit between them are the well-known ones of compressed bitmaps.

export const BLOCK_BITS = 16;
export const BLOCK_SIZE = 1 << BLOCK_BITS;
/** Above this many members the bits are the smaller form. */
export const LIST_MEMBERS_MAX = 4096;
const WORDS = BLOCK_SIZE / 32;

/** Sorted, no repeats; at most LIST_MEMBERS_MAX. */
export interface ListContainer {
  readonly kind: "list";
  readonly values: Uint16Array;
}

export interface BitsContainer {
  readonly kind: "bits";
  readonly words: Uint32Array;
  /** Below 0 where they are not counted, as in a block that is no set's own. */
  readonly count: number;
}

/** It stays below 0 if the members of a block are added to it, or taken from it. */
export const NOT_COUNTED = -BLOCK_SIZE - 1;

export type Container = ListContainer | BitsContainer;

export const countOf = (container: Container): number => {
  if (container.kind === "list") return container.values.length;
  return container.count < 0 ? countWords(container.words) : container.count;
};

export const has = (container: Container, low: number): boolean => {
  if (container.kind === "bits") return (container.words[low >>> 5]! & (1 << (low & 31))) !== 0;
  const { values } = container;
  const index = lowerBound(values, low);
  return index < values.length && values[index] === low;
};

/** The container with `low` in it; the same object when it already was. */
export const withMember = (container: Container | undefined, low: number): Container => {
  if (container === undefined) return { kind: "list", values: Uint16Array.of(low) };
  if (has(container, low)) return container;
  if (container.kind === "bits") {
    container.words[low >>> 5]! |= 1 << (low & 31);
    return { kind: "bits", words: container.words, count: container.count + 1 };
  }
  if (container.values.length === LIST_MEMBERS_MAX) return withMember(toBits(container), low);
  return { kind: "list", values: inserted(container.values, low) };
};

/** The container with all of `lows` (sorted, no repeats) in it; bits are set in place. */
export const withMembers = (container: Container | undefined, lows: Uint16Array): Container | null => {
  if (lows.length === 0) return container ?? null;
  if (container === undefined) return fromSorted(lows);
  if (container.kind === "list") {
    const merged = new Uint16Array(container.values.length + lows.length);
    return fromSorted(merged.subarray(0, mergeLists(container.values, lows, merged)));
  }
  const count = container.count + setBits(container.words, lows);
  return { kind: "bits", words: container.words, count };
};

/** The container without `low`; null when nothing is left. */
export const withoutMember = (container: Container, low: number): Container | null => {
  if (!has(container, low)) return container;
  if (container.kind === "list")
    return container.values.length === 1 ? null : { kind: "list", values: removed(container.values, low) };
  container.words[low >>> 5]! &= ~(1 << (low & 31));
  return fromWords(container.words, container.count - 1);
};

/** Calls `visit` with each member, ascending. */
export const forEachMember = (container: Container, visit: (low: number) => void): void => {
  if (container.kind === "list") {
    for (const low of container.values) visit(low);
    return;
  }
  for (let index = 0; index < WORDS; index++) {
    let word = container.words[index]!;
    while (word !== 0) {
      const bit = 31 - Math.clz32(word & -word);
      visit((index << 5) | bit);
      word &= word - 1;
    }
  }
};

/** Members below `low`. */
export const countBelow = (container: Container, low: number): number => {
  if (container.kind === "list") return lowerBound(container.values, low);
  let count = 0;
  for (let index = 0; index < low >>> 5; index++) count += popcount(container.words[index]!);
  return count + popcount(container.words[low >>> 5]! & (2 ** (low & 31) - 1));
};

/** Members with ranks `from` to `from + count - 1`, ascending. */
export const membersAt = (container: Container, from: number, count: number): number[] => {
  if (container.kind === "list") return [...container.values.subarray(from, from + count)];
  const found: number[] = [];
  let rank = 0;
  for (let index = 0; index < WORDS && found.length < count; index++) {
    let word = container.words[index]!;
    const members = popcount(word);
    if (rank + members <= from) {
      rank += members;
      continue;
    }
    while (word !== 0 && found.length < count) {
      if (rank++ >= from) found.push((index << 5) | (31 - Math.clz32(word & -word)));
      word &= word - 1;
    }
  }
  return found;
};

/** A container of sorted distinct values below BLOCK_SIZE; null for none. */
const fromSorted = (values: Uint16Array): Container | null => {
  if (values.length === 0) return null;
  if (values.length <= LIST_MEMBERS_MAX) return { kind: "list", values: values.slice() };
  const words = new Uint32Array(WORDS);
  setBits(words, values);
  return { kind: "bits", words, count: values.length };
};

/** Sets the bits of these, and says how many were not set. */
export const setBits = (words: Uint32Array, values: Uint16Array): number => {
  let added = 0;
  for (let index = 0; index < values.length; index++) {
    const low = values[index]!;
    const word = words[low >>> 5]!;
    added += (~word >>> (low & 31)) & 1;
    words[low >>> 5] = word | (1 << (low & 31));
  }
  return added;
};

/** Clears the bits of these, and says how many were set. */
export const clearBits = (words: Uint32Array, values: Uint16Array): number => {
  let removed = 0;
  for (let index = 0; index < values.length; index++) {
    const low = values[index]!;
    const word = words[low >>> 5]!;
    removed += (word >>> (low & 31)) & 1;
    words[low >>> 5] = word & ~(1 << (low & 31));
  }
  return removed;
};

/** A list as its values, bits as their words. */
export const toSaved = (container: Container): Uint16Array | Uint32Array =>
  container.kind === "list" ? container.values : container.words.slice();

/** Null when it is neither a list nor the words of a block. */
export const fromSaved = (saved: Uint16Array | Uint32Array): Container | null => {
  if (saved instanceof Uint16Array) return saved.length === 0 ? null : { kind: "list", values: saved };
  return saved.length === WORDS ? { kind: "bits", words: saved, count: countWords(saved) } : null;
};

/**
 * Counts the members by the bucket of their positions.
 *
 * @param positions - those of this block; `end` and above are none
 */
export const countBuckets = (
  container: Container,
  positions: Uint32Array,
  end: number,
  counts: Uint32Array,
  bucketBits: number,
): void => {
  if (container.kind === "list") {
    for (const low of container.values) {
      const position = positions[low]!;
      if (position < end) counts[position >>> bucketBits]!++;
    }
    return;
  }
  const { words } = container;
  for (let index = 0; index < WORDS; index++)
    for (let word = words[index]!; word !== 0; word &= word - 1) {
      const position = positions[(index << 5) | (31 - Math.clz32(word & -word))]!;
      if (position < end) counts[position >>> bucketBits]!++;
    }
};

/** As `countBuckets`, of the ordinals of this block that are no members, downwards. */
export const discountOthers = (
  container: Container | undefined,
  positions: Uint32Array,
  end: number,
  counts: Uint32Array,
  bucketBits: number,
): void => {
  const words = container === undefined ? null : wordsOf(container);
  for (let index = 0; index < WORDS; index++)
    for (let word = words === null ? -1 : ~words[index]!; word !== 0; word &= word - 1) {
      const low = (index << 5) | (31 - Math.clz32(word & -word));
      const position = low < positions.length ? positions[low]! : end;
      if (position < end) counts[position >>> bucketBits]!--;
    }
};

const popcount = (word: number): number => {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};

const countWords = (words: Uint32Array): number => {
  let count = 0;
  for (let index = 0; index < words.length; index++) count += popcount(words[index]!);
  return count;
};

const wordsOf = (container: Container): Uint32Array =>
  container.kind === "bits" ? container.words : (toBits(container) as BitsContainer).words;

const toBits = (container: ListContainer): Container => {
  const words = new Uint32Array(WORDS);
  setBits(words, container.values);
  return { kind: "bits", words, count: container.values.length };
};

/** The smaller form of these bits; null for none. */
export const fromWords = (words: Uint32Array, count = countWords(words)): Container | null => {
  if (count > LIST_MEMBERS_MAX) return { kind: "bits", words, count };
  if (count === 0) return null;
  const values = new Uint16Array(count);
  let next = 0;
  forEachMember({ kind: "bits", words, count }, (low) => {
    values[next++] = low;
  });
  return { kind: "list", values };
};

/** Merges two lists into a third, which has room; says how many there are. */
export const mergeLists = (a: Uint16Array, b: Uint16Array, merged: Uint16Array): number => {
  let fromA = 0;
  let fromB = 0;
  let next = 0;
  while (fromA < a.length && fromB < b.length) {
    const left = a[fromA]!;
    const right = b[fromB]!;
    merged[next++] = left < right ? left : right;
    if (left <= right) fromA++;
    if (right <= left) fromB++;
  }
  while (fromA < a.length) merged[next++] = a[fromA++]!;
  while (fromB < b.length) merged[next++] = b[fromB++]!;
  return next;
};

const lowerBound = (values: Uint16Array, low: number): number => {
  let from = 0;
  let to = values.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (values[middle]! < low) from = middle + 1;
    else to = middle;
  }
  return from;
};

const inserted = (values: Uint16Array, low: number): Uint16Array => {
  const index = lowerBound(values, low);
  const grown = new Uint16Array(values.length + 1);
  grown.set(values.subarray(0, index));
  grown[index] = low;
  grown.set(values.subarray(index), index + 1);
  return grown;
};

const removed = (values: Uint16Array, low: number): Uint16Array => {
  const index = lowerBound(values, low);
  const shrunk = new Uint16Array(values.length - 1);
  shrunk.set(values.subarray(0, index));
  shrunk.set(values.subarray(index + 1), index);
  return shrunk;
};
