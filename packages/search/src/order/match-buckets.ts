import { BLOCK_SIZE, countBuckets, discountOthers } from "../bitmap/container.ts";
import type { CountedSet } from "../bitmap/member-set.ts";
import { BUCKET_BITS } from "./live-entries.ts";
import { IN_TAIL, inOrder, type OrderList } from "./order-list.ts";
import { type Walk, walkUp } from "./walk-order.ts";

const BUCKET_SIZE = 1 << BUCKET_BITS;

/** A bucket with matches, as a walk through it. */
interface Bucket extends Walk {
  /** Matches before it. */
  readonly rank: number;
}

/** Looking at one position per match takes as long as looking at so many entries of the main list. */
const ENTRIES_PER_POSITION = 4;

/**
 * How many matches there are in each bucket of an order: what deep pages are cut from. Where few match, or few do not,
 * the buckets of their positions are counted. Otherwise the entries of the main list are looked up, from the nearer end.
 */
export class MatchBuckets {
  readonly #list: OrderList;
  readonly #matches: CountedSet;
  /** Matches among the main entries of each bucket; null where they are looked up. */
  readonly #counts: Uint32Array | null;
  /** A bit for each match; empty where they are counted. */
  readonly #bits: Uint32Array;
  /** Matches in the tail, by the bucket that they wait in. */
  readonly #waiting: Uint32Array;

  /** @param reach - entries of the main list between what is asked and the nearer end, about */
  constructor(list: OrderList, matches: CountedSet, reach: number) {
    this.#list = list;
    this.#matches = matches;
    const positions = Math.min(matches.size, Math.max(0, list.main.length - matches.size));
    const isCounted = positions * ENTRIES_PER_POSITION < reach;
    this.#counts = isCounted ? countMatches(list, matches) : null;
    this.#bits = isCounted ? new Uint32Array(0) : matches.toBits(list.positions.length);
    this.#waiting = new Uint32Array(list.liveCounts.length);
    const { ordinals, before } = list.tail;
    for (let index = 0; index < ordinals.length; index++)
      if (matches.has(ordinals[index]!)) this.#waiting[before[index]! >>> BUCKET_BITS]!++;
  }

  /** Matches before these places in main list and tail. */
  rankOf(main: number, tail: number): number {
    const bucket = main >>> BUCKET_BITS;
    const { ordinals } = this.#list.tail;
    let rank = 0;
    for (let before = 0; before < bucket; before++) rank += this.#countMain(before);
    const walk = { main: bucket * BUCKET_SIZE, tail: ordinals.length, end: main };
    rank += walkUp(this.#list, this.#matches, walk, 0, BUCKET_SIZE).length;
    for (const ordinal of ordinals.subarray(0, tail)) if (this.#matches.has(ordinal)) rank++;
    return rank;
  }

  /** The matches with ranks `from` to `from + count - 1`, in order. */
  window(from: number, count: number): number[] {
    const used = this.#bucketsOf(from, Math.min(this.#matches.size, from + count));
    const [first] = used;
    if (first === undefined) return [];
    // Where each has few matches, reading all matches takes less time than a walk through these buckets.
    if (used.length * BUCKET_SIZE > this.#matches.size + BUCKET_SIZE)
      return this.#between(first, used.at(-1)!).slice(from - first.rank, from - first.rank + count);
    const found: number[] = [];
    for (const bucket of used) {
      const skip = Math.max(0, from - bucket.rank);
      found.push(...walkUp(this.#list, this.#matches, bucket, skip, count - found.length));
    }
    return found;
  }

  /** The buckets of the matches with ranks `from` to `end - 1`. */
  #bucketsOf(from: number, end: number): readonly Bucket[] {
    const used: Bucket[] = [];
    const last = this.#waiting.length - 1;
    if (from * 2 <= this.#matches.size)
      for (let bucket = 0, rank = 0; bucket <= last && rank < end; bucket++) {
        const size = this.#countMain(bucket) + this.#waiting[bucket]!;
        if (size > 0 && rank + size > from) used.push(this.#bucketAt(bucket, rank));
        rank += size;
      }
    else
      for (let bucket = last, rank = this.#matches.size; bucket >= 0 && rank > from; bucket--) {
        const size = this.#countMain(bucket) + this.#waiting[bucket]!;
        rank -= size;
        if (size > 0 && rank < end) used.unshift(this.#bucketAt(bucket, rank));
      }
    return used;
  }

  #bucketAt(bucket: number, rank: number): Bucket {
    const main = bucket * BUCKET_SIZE;
    return { main, tail: firstNotBelow(this.#list.tail.before, main), end: main + BUCKET_SIZE, rank };
  }

  #countMain(bucket: number): number {
    if (this.#counts !== null) return this.#counts[bucket]!;
    const { main, live, liveCounts } = this.#list;
    const bits = this.#bits;
    const from = bucket * BUCKET_SIZE;
    const entries = main.view(from, Math.min(main.length, from + BUCKET_SIZE));
    let count = 0;
    if (liveCounts[bucket] === entries.length)
      for (let index = 0; index < entries.length; index++) {
        const ordinal = entries[index]!;
        count += (bits[ordinal >>> 5]! >>> (ordinal & 31)) & 1;
      }
    else
      for (let index = 0; index < entries.length; index++) {
        const ordinal = entries[index]!;
        const isLive = live[(from + index) >>> 5]! >>> (index & 31);
        count += (bits[ordinal >>> 5]! >>> (ordinal & 31)) & isLive & 1;
      }
    return count;
  }

  /** All matches from the beginning of a bucket to the end of another. */
  #between({ main: from, tail: first }: Bucket, { end }: Bucket): number[] {
    const { main, positions, tail } = this.#list;
    const places: number[] = [];
    this.#matches.forEach((ordinal) => {
      const position = positions.get(ordinal);
      if (position >= from && position < end) places.push(position);
    });
    const waiting: number[] = [];
    for (let index = first; index < tail.before.length && tail.before[index]! < end; index++)
      if (this.#matches.has(tail.ordinals[index]!)) waiting.push(index);
    return inOrder(main, Uint32Array.from(places).toSorted(), {
      ordinals: Uint32Array.from(waiting, (index) => tail.ordinals[index]!),
      before: Uint32Array.from(waiting, (index) => tail.before[index]!),
    });
  }
}

const firstNotBelow = (sorted: Uint32Array, place: number): number => {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sorted[middle]! < place) from = middle + 1;
    else to = middle;
  }
  return from;
};

const countMatches = ({ main, positions, liveCounts }: OrderList, matches: CountedSet): Uint32Array => {
  // The others are counted if more than half match.
  const ofMembers = matches.size * 2 <= main.length;
  const counts = ofMembers ? new Uint32Array(liveCounts.length) : liveCounts.slice();
  const blocks = Math.ceil(positions.length / BLOCK_SIZE);
  for (let index = 0; index < blocks; index++) {
    const block = matches.block(index);
    const from = index * BLOCK_SIZE;
    const part = positions.view(from, Math.min(positions.length, from + BLOCK_SIZE));
    if (!ofMembers) discountOthers(block, part, IN_TAIL, counts, BUCKET_BITS);
    else if (block !== undefined) countBuckets(block, part, IN_TAIL, counts, BUCKET_BITS);
  }
  return counts;
};
