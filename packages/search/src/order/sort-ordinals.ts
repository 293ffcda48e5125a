import type { AssetColumns } from "../asset-columns.ts";

/** Slots above would not fit beside a rank in 64 bits: a thousand times what the chain has reached. */
const PACKED_SLOT_MAX = 2 ** 32 - 1;
/** Which half of a 64-bit integer comes first in memory. */
const LOW = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1;
const HIGH = 1 - LOW;

// Sorting millions with a comparing function takes seconds; 64-bit integers sort in native code, ten times as fast.

/** By id. Ids that share their first four bytes are few, and compared. */
export const sortById = (columns: AssetColumns, ordinals: Uint32Array): Uint32Array => {
  const sorted = sortPacked(ordinals, (ordinal) => columns.idPrefix(ordinal), ordinals);
  const compare = (a: number, b: number): number => columns.compareIds(a, b);
  let from = 0;
  while (from < sorted.length) {
    const prefix = columns.idPrefix(sorted[from]!);
    let to = from + 1;
    while (to < sorted.length && columns.idPrefix(sorted[to]!) === prefix) to++;
    if (to > from + 1) sorted.subarray(from, to).sort(compare);
    from = to;
  }
  return sorted;
};

/** By slot, ties by id: the rank in `byId` stands for the id. */
export const sortBySlot = (byId: Uint32Array, slotOf: (ordinal: number) => number): Uint32Array => {
  const ranks = new Uint32Array(byId.length);
  let latest = 0;
  for (let rank = 0; rank < ranks.length; rank++) {
    ranks[rank] = rank;
    latest = Math.max(latest, slotOf(byId[rank]!));
  }
  const sorted =
    latest <= PACKED_SLOT_MAX
      ? sortPacked(byId, slotOf, ranks)
      : ranks.toSorted((a, b) => slotOf(byId[a]!) - slotOf(byId[b]!) || a - b);
  for (let index = 0; index < sorted.length; index++) sorted[index] = byId[sorted[index]!]!;
  return sorted;
};

/** The entries of `low`, sorted by the key of the ordinal at the same place, then by themselves. Both are 32 bits. */
const sortPacked = (
  ordinals: Uint32Array,
  keyOf: (ordinal: number) => number,
  low: Uint32Array,
): Uint32Array => {
  const packed = new BigUint64Array(ordinals.length);
  const halves = new Uint32Array(packed.buffer);
  for (let index = 0; index < ordinals.length; index++) {
    halves[index * 2 + LOW] = low[index]!;
    halves[index * 2 + HIGH] = keyOf(ordinals[index]!);
  }
  packed.sort();
  const sorted = new Uint32Array(ordinals.length);
  for (let index = 0; index < sorted.length; index++) sorted[index] = halves[index * 2 + LOW]!;
  return sorted;
};
