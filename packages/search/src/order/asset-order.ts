import type { OrdinalSet } from "../bitmap/ordinal-set.ts";
import { selectWindow, type TailMatch } from "./select-window.ts";

/** Compares two ordinals by the order's key, ties by id: never 0 for different assets. */
export type CompareOrdinals = (a: number, b: number) => number;
/** Where an asset stands against a sought position: negative = before it. */
export type CompareToPosition = (ordinal: number) => number;

/** An ordinal that is not in the main list. */
const ABSENT = 0xffff_ffff;
/** Moved assets wait in a short sorted tail; past this share of the main list both are merged. */
const TAIL_SHARE = 1 / 64;
const TAIL_MIN = 1024;
/** Steps of a walk that cost as much as spreading all matches over a scratch bitmap would at worst. */
const WALK_STEPS_MAX = 50_000;

/**
 * All existing assets in one order: a sorted main list, and a small sorted tail of those added or moved since.
 * Entries of the main list that moved are skipped by their position entry.
 */
export class AssetOrder {
  readonly #compare: CompareOrdinals;
  /** Sorted ordinals; an entry counts only while `#positions[ordinal]` points back at it. */
  #main: Uint32Array = new Uint32Array(0);
  #positions: Uint32Array = new Uint32Array(0).fill(ABSENT);
  #tail: number[] = [];
  readonly #inTail = new Set<number>();

  constructor(compare: CompareOrdinals) {
    this.#compare = compare;
  }

  /** Replaces everything; `ordinals` in any order. */
  fill(ordinals: Uint32Array, capacity: number): void {
    this.#main = ordinals.toSorted((a, b) => this.#compare(a, b));
    this.#tail = [];
    this.#inTail.clear();
    this.#reposition(capacity);
  }

  /** Takes assets out before their keys change, and puts them back after: see `insert`. */
  remove(ordinals: Iterable<number>): void {
    let fromTail = false;
    for (const ordinal of ordinals) {
      if (this.#inTail.delete(ordinal)) fromTail = true;
      else if (ordinal < this.#positions.length) this.#positions[ordinal] = ABSENT;
    }
    if (fromTail) this.#tail = this.#tail.filter((ordinal) => this.#inTail.has(ordinal));
  }

  /** Puts in assets that are not there, by their present keys. */
  insert(ordinals: readonly number[], capacity: number): void {
    if (ordinals.length === 0) return;
    this.#reserve(capacity);
    const sorted = ordinals.toSorted(this.#compare);
    for (const ordinal of sorted) this.#inTail.add(ordinal);
    this.#tail = mergeSorted(this.#tail, sorted, this.#compare);
    if (this.#tail.length > Math.max(TAIL_MIN, this.#main.length * TAIL_SHARE)) this.#compact(capacity);
  }

  /** Matches before the sought position: its rank among them, ascending. */
  rankOf(matches: OrdinalSet, compare: CompareToPosition): number {
    const key = this.#keyOf(compare);
    let rank = 0;
    if (matches.size < key) {
      matches.forEach((ordinal) => {
        const position = this.#positions[ordinal]!;
        if (position === ABSENT ? compare(ordinal) < 0 : position < key) rank++;
      });
      return rank;
    }
    for (let index = 0; index < key; index++) if (this.#isMatch(index, matches)) rank++;
    for (const ordinal of this.#tail) if (compare(ordinal) < 0 && matches.has(ordinal)) rank++;
    return rank;
  }

  /** The matches with ranks `from` to `from + count - 1`, ascending. */
  window(matches: OrdinalSet, from: number, count: number): number[] {
    if (from >= matches.size || count <= 0) return [];
    const steps = ((from + count) * this.#main.length) / Math.max(1, matches.size);
    if (steps <= WALK_STEPS_MAX) return this.#walkUp(matches, null, from, count);
    const fromEnd = matches.size - from - count;
    const stepsFromEnd = ((fromEnd + count) * this.#main.length) / Math.max(1, matches.size);
    if (fromEnd >= 0 && stepsFromEnd <= WALK_STEPS_MAX)
      return this.#walkDown(matches, null, fromEnd, count).toReversed();
    return this.#spread(matches, from, count);
  }

  /** Up to `count` matches that follow the sought position, ascending. */
  after(matches: OrdinalSet, position: CompareToPosition, count: number): number[] {
    if (this.#isSparse(matches)) {
      const rank = this.rankOf(matches, (ordinal) => (position(ordinal) <= 0 ? -1 : 1));
      return this.window(matches, rank, count);
    }
    return this.#walkUp(matches, position, 0, count);
  }

  /** Up to `count` matches directly before the sought position, nearest first. */
  before(matches: OrdinalSet, position: CompareToPosition, count: number): number[] {
    if (this.#isSparse(matches)) {
      const rank = this.rankOf(matches, position);
      const from = Math.max(0, rank - count);
      return this.window(matches, from, rank - from).toReversed();
    }
    return this.#walkDown(matches, position, 0, count);
  }

  get byteLength(): number {
    return this.#main.byteLength + this.#positions.byteLength + this.#tail.length * 16;
  }

  /** Ordinals in order, for saving. */
  toArray(): Uint32Array {
    const merged = new Uint32Array(this.#main.length + this.#tail.length);
    let next = 0;
    for (const ordinal of this.#ascending(0, 0)) merged[next++] = ordinal;
    return merged.subarray(0, next);
  }

  /** Replaces everything by ordinals already in order. */
  restore(sorted: Uint32Array, capacity: number): void {
    this.#main = sorted.slice();
    this.#tail = [];
    this.#inTail.clear();
    this.#reposition(capacity);
  }

  /** A walk meets a match rarely enough that ranking all matches is cheaper. */
  #isSparse(matches: OrdinalSet): boolean {
    return matches.size * 64 < this.#main.length;
  }

  #isMatch(index: number, matches: OrdinalSet): boolean {
    const ordinal = this.#main[index]!;
    return this.#positions[ordinal] === index && matches.has(ordinal);
  }

  #walkUp(matches: OrdinalSet, after: CompareToPosition | null, skip: number, count: number): number[] {
    const found: number[] = [];
    const main = after === null ? 0 : this.#keyOf((ordinal) => (after(ordinal) <= 0 ? -1 : 1));
    const tail = after === null ? 0 : lowerBound(this.#tail, (ordinal) => after(ordinal) <= 0);
    let left = skip;
    for (const ordinal of this.#ascending(main, tail)) {
      if (!matches.has(ordinal)) continue;
      if (left-- > 0) continue;
      found.push(ordinal);
      if (found.length === count) break;
    }
    return found;
  }

  #walkDown(matches: OrdinalSet, before: CompareToPosition | null, skip: number, count: number): number[] {
    const found: number[] = [];
    const main = before === null ? this.#main.length : this.#keyOf(before);
    const tail =
      before === null ? this.#tail.length : lowerBound(this.#tail, (ordinal) => before(ordinal) < 0);
    let left = skip;
    for (const ordinal of this.#descending(main, tail)) {
      if (!matches.has(ordinal)) continue;
      if (left-- > 0) continue;
      found.push(ordinal);
      if (found.length === count) break;
    }
    return found;
  }

  *#ascending(fromMain: number, fromTail: number): Generator<number> {
    let main = fromMain;
    let tail = fromTail;
    for (;;) {
      while (main < this.#main.length && this.#positions[this.#main[main]!] !== main) main++;
      const head = main < this.#main.length ? this.#main[main]! : null;
      const waiting = tail < this.#tail.length ? this.#tail[tail]! : null;
      if (head === null && waiting === null) return;
      if (waiting === null || (head !== null && this.#compare(head, waiting) < 0)) {
        main++;
        yield head!;
      } else {
        tail++;
        yield waiting;
      }
    }
  }

  /** From just below the two ends, downwards. */
  *#descending(endMain: number, endTail: number): Generator<number> {
    let main = endMain - 1;
    let tail = endTail - 1;
    for (;;) {
      while (main >= 0 && this.#positions[this.#main[main]!] !== main) main--;
      const head = main >= 0 ? this.#main[main]! : null;
      const waiting = tail >= 0 ? this.#tail[tail]! : null;
      if (head === null && waiting === null) return;
      if (waiting === null || (head !== null && this.#compare(head, waiting) > 0)) {
        main--;
        yield head!;
      } else {
        tail--;
        yield waiting;
      }
    }
  }

  /** Index of the first main entry that is not before the sought position. Stale entries still stand in order of their old keys. */
  #keyOf(compare: CompareToPosition): number {
    let from = 0;
    let to = this.#main.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const probe = this.#liveAtOrAfter(middle, to);
      if (probe === to) to = middle;
      else if (compare(this.#main[probe]!) < 0) from = probe + 1;
      else to = middle;
    }
    return from;
  }

  /** Stale entries may no longer compare as they stand, so probes move on to a live one. */
  #liveAtOrAfter(index: number, end: number): number {
    let probe = index;
    while (probe < end && this.#positions[this.#main[probe]!] !== probe) probe++;
    return probe;
  }

  #spread(matches: OrdinalSet, from: number, count: number): number[] {
    const bits = new Uint32Array((this.#main.length >>> 5) + 1);
    const positions = this.#positions;
    const tail: TailMatch[] = [];
    matches.forEach((ordinal) => {
      const position = positions[ordinal]!;
      if (position !== ABSENT) bits[position >>> 5]! |= 1 << (position & 31);
    });
    for (const ordinal of this.#tail)
      if (matches.has(ordinal))
        tail.push({ ordinal, before: this.#keyOf((other) => this.#compare(other, ordinal)) });
    return selectWindow(bits, this.#main, tail, from, count);
  }

  #compact(capacity: number): void {
    this.#main = this.toArray().slice();
    this.#tail = [];
    this.#inTail.clear();
    this.#reposition(capacity);
  }

  #reposition(capacity: number): void {
    this.#positions = new Uint32Array(capacity).fill(ABSENT);
    for (let index = 0; index < this.#main.length; index++) this.#positions[this.#main[index]!] = index;
  }

  #reserve(capacity: number): void {
    if (capacity <= this.#positions.length) return;
    const grown = new Uint32Array(Math.max(capacity, this.#positions.length * 2)).fill(ABSENT);
    grown.set(this.#positions);
    this.#positions = grown;
  }
}

/** Index of the first entry for which `isBefore` no longer holds. */
const lowerBound = (sorted: readonly number[], isBefore: (ordinal: number) => boolean): number => {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isBefore(sorted[middle]!)) from = middle + 1;
    else to = middle;
  }
  return from;
};

const mergeSorted = (a: readonly number[], b: readonly number[], compare: CompareOrdinals): number[] => {
  const merged: number[] = [];
  let fromA = 0;
  let fromB = 0;
  while (fromA < a.length && fromB < b.length)
    merged.push(compare(a[fromA]!, b[fromB]!) < 0 ? a[fromA++]! : b[fromB++]!);
  return [...merged, ...a.slice(fromA), ...b.slice(fromB)];
};
