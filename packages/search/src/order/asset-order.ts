import type { AssetColumns } from "../asset-columns.ts";
import type { CountedSet } from "../bitmap/member-set.ts";
import { NumberParts, PART_BITS } from "../number-parts.ts";
import { runThrough, sliceBounds, type Slices } from "../slices.ts";
import type { CompareOrdinals, CompareToPosition } from "./compare.ts";
import { ListMerge } from "./list-merge.ts";
import { mergeTail, type SortedTail } from "./merge-tail.ts";
import { ABSENT, findInMain, findPlace, firstFrom, IN_TAIL, inOrder, type OrderList } from "./order-list.ts";
import { allCounted, allLive, BUCKET_BITS } from "./live-entries.ts";
import { MatchBuckets } from "./match-buckets.ts";
import { walkDown, walkUp } from "./walk-order.ts";

/** The fields of an asset that orders read. */
export type OrderColumns = Pick<AssetColumns, "idOrPrefix" | "createdSlot" | "updatedSlot" | "compareIdTo">;

/** Moved assets wait in a short sorted tail; past this share of the main list both are to be merged, as are as many gaps. */
const TAIL_SHARE = 1 / 64;
const TAIL_MIN = 1024;
/** Every deep page reads the whole tail. */
const TAIL_MAX = 1 << 17;
/** So many times over what is due, the tail is merged at once: no caller merges it in slices. */
const OVERDUE = 8;
/** Steps of a walk that cost as much as counting the matches of all buckets does. */
const WALK_STEPS_MAX = 50_000;
/** So few matches are put in order themselves, however many assets there are. */
const FEW_MAX = 4096;

/** Room for more assets is added so much at a time. */
const GROWTH_SHARE = 1 / 32;

const noTail: SortedTail = { ordinals: new Uint32Array(0), before: new Uint32Array(0) };

/**
 * All existing assets in one order: a sorted main list, and a small sorted tail of those added or moved since.
 * Entries of the main list that moved are skipped by their position entry.
 */
export class AssetOrder {
  readonly #compare: CompareOrdinals;
  readonly #partBits: number;
  readonly #list: OrderList;
  /** Entries of the main list that no longer count. */
  #stale = 0;
  /** Ordinals removed or inserted since `compact` began; null while it does not run. */
  #touched: Set<number> | null = null;

  constructor(compare: CompareOrdinals, partBits = PART_BITS) {
    this.#compare = compare;
    this.#partBits = partBits;
    this.#list = {
      main: new NumberParts(partBits),
      positions: new NumberParts(partBits, ABSENT),
      live: allLive(0),
      liveCounts: allCounted(0),
      tail: noTail,
    };
  }

  /** Takes assets out before their keys change, and puts them back after: see `insert`. */
  remove(ordinals: Iterable<number>): void {
    let fromTail = false;
    for (const ordinal of ordinals) {
      const position = this.#positionOf(ordinal);
      if (position === ABSENT) continue;
      if (position === IN_TAIL) fromTail = true;
      else this.#leave(position);
      this.#list.positions.set(ordinal, ABSENT);
      this.#touched?.add(ordinal);
    }
    if (fromTail) this.#dropFromTail();
  }

  /** Puts in assets that are not there, by their present keys. */
  insert(ordinals: readonly number[], capacity: number): void {
    this.#reserve(capacity);
    if (ordinals.length > 0) {
      const added = Uint32Array.from(ordinals).toSorted(this.#compare);
      for (const ordinal of added) {
        this.#list.positions.set(ordinal, IN_TAIL);
        this.#touched?.add(ordinal);
      }
      this.#list.tail = mergeTail(this.#list.tail, this.#beforeMain(added), this.#compare);
    }
    if (this.#due > OVERDUE) runThrough(this.compact());
  }

  /** Whether the tail or the stale entries of the main list are so many that `compact` is worth its cost. */
  get isUntidy(): boolean {
    return this.#due > 1;
  }

  /**
   * Merges the tail into the main list and drops what has left it. Changes and answers may come between two slices: the
   * order stays what it is, and at the end those changes are carried over. Restarted, or after `restore`, a run that is
   * under way ends without effect.
   *
   * @param sliceEntries - fewer in tests, so that few assets make many slices
   */
  *compact(sliceEntries?: number): Slices {
    const touched = new Set<number>();
    this.#touched = touched;
    const merge = this.#startMerge();
    const positions = new NumberParts(this.#partBits, ABSENT);
    try {
      const capacity = this.#list.positions.length;
      for (const [, to] of sliceBounds(capacity, 2 ** this.#partBits)) {
        positions.resize(to);
        yield;
        if (this.#touched !== touched) return;
      }
      for (const [from, to] of sliceBounds(this.#list.main.length + 1, sliceEntries)) {
        const first = merge.length;
        merge.take(from, to, this.#list.positions, touched);
        for (let index = first; index < merge.length; index++)
          positions.set(merge.ordinals.get(index), index);
        yield;
        if (this.#touched !== touched) return;
      }
      merge.ordinals.resize(merge.length);
      this.#replaceMain(merge.ordinals, positions, touched);
    } finally {
      if (this.#touched === touched) this.#touched = null;
    }
  }

  /** The matches with ranks `from` to `from + count - 1`, ascending. */
  window(matches: CountedSet, from: number, count: number): number[] {
    if (from >= matches.size || count <= 0) return [];
    if (this.#areFew(matches)) return this.#sortFew(matches).slice(from, from + count);
    const { main, tail } = this.#list;
    const wanted = Math.min(count, matches.size - from);
    const fromEnd = matches.size - from - wanted;
    const stepsTo = (rank: number): number => (rank * main.length) / matches.size;
    if (stepsTo(Math.min(from, fromEnd) + wanted) <= WALK_STEPS_MAX) {
      const walked =
        from <= fromEnd
          ? this.#walkUp(matches, 0, 0, from, wanted)
          : this.#walkDown(matches, main.length, tail.ordinals.length, fromEnd, wanted)?.toReversed();
      if (walked) return walked;
    }
    const reach = stepsTo(Math.min(from + count, matches.size - from));
    return new MatchBuckets(this.#list, matches, reach).window(from, count);
  }

  /** The first asset at or after the sought position; null past the last. */
  firstFrom(position: CompareToPosition): number | null {
    return firstFrom(this.#list, position);
  }

  /** Up to `count` matches that follow the sought position, ascending. */
  after(matches: CountedSet, position: CompareToPosition, count: number): number[] {
    if (this.#areFew(matches))
      return this.#sortFew(matches)
        .filter((ordinal) => position(ordinal) > 0)
        .slice(0, count);
    const { main, tail } = findPlace(this.#list, (ordinal) => (position(ordinal) <= 0 ? -1 : 1));
    const walked = this.#isSparse(matches) ? null : this.#walkUp(matches, main, tail, 0, count);
    if (walked !== null) return walked;
    const buckets = new MatchBuckets(this.#list, matches, this.#list.main.length);
    return buckets.window(buckets.rankOf(main, tail), count);
  }

  /** Up to `count` matches directly before the sought position, nearest first. */
  before(matches: CountedSet, position: CompareToPosition, count: number): number[] {
    if (this.#areFew(matches))
      return this.#sortFew(matches)
        .filter((ordinal) => position(ordinal) < 0)
        .slice(-count)
        .toReversed();
    const { main, tail } = findPlace(this.#list, position);
    const walked = this.#isSparse(matches) ? null : this.#walkDown(matches, main, tail, 0, count);
    if (walked !== null) return walked;
    const buckets = new MatchBuckets(this.#list, matches, this.#list.main.length);
    const rank = buckets.rankOf(main, tail);
    const from = Math.max(0, rank - count);
    return buckets.window(from, rank - from).toReversed();
  }

  get byteLength(): number {
    return (
      this.#list.main.byteLength +
      this.#list.positions.byteLength +
      this.#list.live.byteLength +
      this.#list.tail.ordinals.byteLength * 2
    );
  }

  /** Ordinals in order, as an own copy. */
  toArray(): Uint32Array {
    const listed = runThrough(this.listed());
    return Uint32Array.from({ length: listed.length }, (_, index) => listed.get(index));
  }

  /** As `toArray`; what is removed or inserted in the meantime may be in it or not, at its old place or its new one. */
  *listed(sliceEntries?: number): Slices<NumberParts> {
    for (;;) {
      const main = this.#list.main;
      const merge = this.#startMerge();
      for (const [from, to] of sliceBounds(main.length + 1, sliceEntries)) {
        if (this.#list.main !== main) break;
        merge.take(from, to, this.#list.positions, null);
        if (to > main.length) {
          merge.ordinals.resize(merge.length);
          return merge.ordinals;
        }
        yield;
      }
      // `compact` replaced the list: start again.
    }
  }

  /**
   * Replaces everything by ordinals already in order, which become this order's own. The order is empty until it is
   * done.
   */
  *restore(sorted: NumberParts, capacity: number): Slices {
    this.#touched = null;
    this.#list.tail = noTail;
    this.#stale = 0;
    this.#setMain(new NumberParts(this.#partBits));
    const positions = new NumberParts(this.#partBits, ABSENT);
    this.#list.positions = positions;
    for (const [, to] of sliceBounds(capacity, 2 ** this.#partBits)) {
      positions.resize(to);
      yield;
    }
    for (const [from, to] of sliceBounds(sorted.length)) {
      for (let index = from; index < to; index++) positions.set(sorted.get(index), index);
      yield;
    }
    this.#setMain(sorted);
  }

  /** Null when the steps are used up before enough matches were found; these may all be at the far end. */
  #walkUp(matches: CountedSet, main: number, tail: number, skip: number, count: number): number[] | null {
    const last = this.#list.main.length;
    const end = Math.min(last + 1, main + WALK_STEPS_MAX * 2);
    const found = walkUp(this.#list, matches, { main, tail, end }, skip, count);
    return found.length === count || end > last ? found : null;
  }

  /** As `#walkUp`. */
  #walkDown(matches: CountedSet, main: number, tail: number, skip: number, count: number): number[] | null {
    const end = Math.max(-1, main - WALK_STEPS_MAX * 2);
    const found = walkDown(this.#list, matches, { main, tail, end }, skip, count);
    return found.length === count || end < 0 ? found : null;
  }

  /** Entries that wait for a merge, as a multiple of those at which one is due. */
  get #due(): number {
    const share = Math.max(TAIL_MIN, this.#list.main.length * TAIL_SHARE);
    return Math.max(this.#stale / share, this.#list.tail.ordinals.length / Math.min(TAIL_MAX, share));
  }

  /** The entry at that position no longer counts. */
  #leave(position: number): void {
    this.#stale++;
    this.#list.live[position >>> 5]! &= ~(1 << (position & 31));
    this.#list.liveCounts[position >>> BUCKET_BITS]!--;
  }

  /** All of its entries count. */
  #setMain(main: NumberParts): void {
    this.#list.main = main;
    this.#list.live = allLive(main.length);
    this.#list.liveCounts = allCounted(main.length);
  }

  /** Replaces the main list by a merged one. Changes since the merge started stay in the tail. */
  #replaceMain(main: NumberParts, positions: NumberParts, touched: ReadonlySet<number>): void {
    const capacity = this.#list.positions.length;
    const waiting = this.#list.tail.ordinals.filter((ordinal) => touched.has(ordinal));
    this.#setMain(main);
    this.#list.positions = positions;
    this.#stale = 0;
    this.#reserve(capacity);
    for (const ordinal of touched) {
      const position = this.#positionOf(ordinal);
      if (position === ABSENT) continue;
      this.#leave(position);
      this.#list.positions.set(ordinal, ABSENT);
    }
    for (const ordinal of waiting) this.#list.positions.set(ordinal, IN_TAIL);
    this.#list.tail = this.#beforeMain(waiting);
  }

  /** Sorted ordinals with the places they belong to in the main list. */
  #beforeMain(sorted: Uint32Array): SortedTail {
    const before = sorted.map((ordinal) => findInMain(this.#list, (other) => this.#compare(other, ordinal)));
    return { ordinals: sorted, before };
  }

  #areFew(matches: CountedSet): boolean {
    return matches.size <= FEW_MAX && this.#isSparse(matches);
  }

  /** All matches in order, from their places alone. */
  #sortFew(matches: CountedSet): number[] {
    const places: number[] = [];
    const waiting: number[] = [];
    for (const ordinal of matches.toArray()) {
      const position = this.#list.positions.get(ordinal);
      if (position < IN_TAIL) places.push(position);
      else if (position === IN_TAIL) waiting.push(ordinal);
    }
    const tail = this.#beforeMain(Uint32Array.from(waiting).toSorted(this.#compare));
    return inOrder(this.#list.main, Uint32Array.from(places).toSorted(), tail);
  }

  /** A walk meets a match so rarely that it need not be tried. */
  #isSparse(matches: CountedSet): boolean {
    return matches.size * 64 < this.#list.main.length;
  }

  #dropFromTail(): void {
    const { ordinals, before } = this.#list.tail;
    const waits = (_: number, index: number): boolean =>
      this.#list.positions.get(ordinals[index]!) === IN_TAIL;
    this.#list.tail = { ordinals: ordinals.filter(waits), before: before.filter(waits) };
  }

  #reserve(capacity: number): void {
    if (capacity <= this.#list.positions.length) return;
    const { positions } = this.#list;
    positions.resize(Math.max(capacity, Math.ceil(positions.length * (1 + GROWTH_SHARE))));
  }

  #positionOf(ordinal: number): number {
    const { positions } = this.#list;
    return ordinal < positions.length ? positions.get(ordinal) : ABSENT;
  }

  #startMerge(): ListMerge {
    const { main, tail } = this.#list;
    return new ListMerge(main, tail, this.#stale, new NumberParts(this.#partBits));
  }
}
