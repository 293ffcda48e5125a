import type { AssetColumns } from "../asset-columns.ts";
import type { OrdinalSet } from "../bitmap/ordinal-set.ts";
import { runThrough, sliceBounds, type Slices } from "../slices.ts";
import { ListMerge } from "./list-merge.ts";
import { mergeTail, type SortedTail } from "./merge-tail.ts";
import { countBelow, selectWindow, type TailMatch } from "./select-window.ts";

/** Compares two ordinals by the order's key, ties by id: never 0 for different assets. */
export type CompareOrdinals = (a: number, b: number) => number;
/** What orders look at of each asset. */
export type OrderColumns = Pick<AssetColumns, "id" | "createdSlot" | "updatedSlot" | "compareIdTo">;
/** Where an asset stands against a sought position: negative = before it. By other columns than its own when asked. */
export type CompareToPosition = (ordinal: number, columns?: OrderColumns) => number;

/** Position entry of an ordinal that is nowhere. */
const ABSENT = 0xffff_ffff;
/** Position entry of an ordinal that waits in the tail; every smaller one is an index of the main list. */
const IN_TAIL = 0xffff_fffe;
/** Moved assets wait in a short sorted tail; past this share of the main list both are to be merged, as are as many gaps. */
const TAIL_SHARE = 1 / 64;
const TAIL_MIN = 1024;
/** Every deep page looks at the whole tail. */
const TAIL_MAX = 1 << 17;
/** So many times over what is due to be merged, it is merged at once: nobody does it in slices. */
const OVERDUE = 8;
/** So few matches are put in order themselves, however many assets there are. */
const FEW_MAX = 4096;
/** Steps of a walk that cost as much as spreading all matches over a scratch bitmap would at worst. */
const WALK_STEPS_MAX = 50_000;

const ALL_BITS = 0xffff_ffff;

const noTail: SortedTail = { ordinals: new Uint32Array(0), before: new Uint32Array(0) };

/**
 * All existing assets in one order: a sorted main list, and a small sorted tail of those added or moved since.
 * Entries of the main list that moved are skipped by their position entry.
 */
export class AssetOrder {
  readonly #compare: CompareOrdinals;
  /** Sorted ordinals; an entry counts only while `#positions[ordinal]` points back at it. */
  #main: Uint32Array = new Uint32Array(0);
  #positions: Uint32Array = new Uint32Array(0);
  /** The entries that count, as bits. */
  #live: Uint32Array = new Uint32Array(0);
  #tail: SortedTail = noTail;
  /** Entries of the main list that no longer count. */
  #stale = 0;
  /** Ordinals removed or inserted since `compact` began; null while it does not run. */
  #touched: Set<number> | null = null;

  constructor(compare: CompareOrdinals) {
    this.#compare = compare;
  }

  /** Takes assets out before their keys change, and puts them back after: see `insert`. */
  remove(ordinals: Iterable<number>): void {
    let fromTail = false;
    for (const ordinal of ordinals) {
      const position = this.#positions[ordinal] ?? ABSENT;
      if (position === ABSENT) continue;
      if (position === IN_TAIL) fromTail = true;
      else this.#leave(position);
      this.#positions[ordinal] = ABSENT;
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
        this.#positions[ordinal] = IN_TAIL;
        this.#touched?.add(ordinal);
      }
      this.#tail = mergeTail(this.#tail, this.#beforeMain(added), this.#compare);
    }
    if (this.#due > OVERDUE) runThrough(this.compact());
  }

  /** Whether so many wait beside the main list, or have left it, that `compact` pays. */
  get isUntidy(): boolean {
    return this.#due > 1;
  }

  /**
   * Merges the tail into the main list and drops what has left it. Changes and answers may come between two slices: the
   * order stays what it is, and at the end those changes are carried over. Begun anew, or after `restore`, a run that is
   * under way ends without effect.
   *
   * @param sliceEntries - fewer in tests, so that few assets make many slices
   */
  *compact(sliceEntries?: number): Slices {
    const touched = new Set<number>();
    this.#touched = touched;
    const merge = new ListMerge(this.#main, this.#tail, this.#stale);
    const positions = new Uint32Array(this.#positions.length);
    try {
      for (const [from, to] of sliceBounds(positions.length, sliceEntries)) {
        positions.fill(ABSENT, from, to);
        yield;
        if (this.#touched !== touched) return;
      }
      for (const [from, to] of sliceBounds(this.#main.length + 1, sliceEntries)) {
        const first = merge.length;
        merge.take(from, to, this.#positions, touched);
        for (let index = first; index < merge.length; index++) positions[merge.ordinals[index]!] = index;
        yield;
        if (this.#touched !== touched) return;
      }
      this.#replaceMain(merge.ordinals.subarray(0, merge.length), positions, touched);
    } finally {
      if (this.#touched === touched) this.#touched = null;
    }
  }

  /** The matches with ranks `from` to `from + count - 1`, ascending. */
  window(matches: OrdinalSet, from: number, count: number): number[] {
    if (from >= matches.size || count <= 0) return [];
    if (this.#areFew(matches)) return this.#sortFew(matches).slice(from, from + count);
    const isNear = (reach: number): boolean =>
      (reach * this.#main.length) / Math.max(1, matches.size) <= WALK_STEPS_MAX;
    const fromEnd = matches.size - from - count;
    const walked = isNear(from + count)
      ? this.#walkUp(matches, 0, 0, from, count)
      : fromEnd >= 0 && isNear(fromEnd + count)
        ? this.#walkDown(matches, this.#main.length, this.#tail.ordinals.length, fromEnd, count)?.toReversed()
        : null;
    return walked ?? this.#spread(matches).window(from, count);
  }

  /** Up to `count` matches that follow the sought position, ascending. */
  after(matches: OrdinalSet, position: CompareToPosition, count: number): number[] {
    if (this.#areFew(matches))
      return this.#sortFew(matches)
        .filter((ordinal) => position(ordinal) > 0)
        .slice(0, count);
    const { main, tail } = this.#find((ordinal) => (position(ordinal) <= 0 ? -1 : 1));
    const walked = this.#isSparse(matches) ? null : this.#walkUp(matches, main, tail, 0, count);
    if (walked !== null) return walked;
    const spread = this.#spread(matches);
    return spread.window(spread.rankOf(main, tail), count);
  }

  /** Up to `count` matches directly before the sought position, nearest first. */
  before(matches: OrdinalSet, position: CompareToPosition, count: number): number[] {
    if (this.#areFew(matches))
      return this.#sortFew(matches)
        .filter((ordinal) => position(ordinal) < 0)
        .slice(-count)
        .toReversed();
    const { main, tail } = this.#find(position);
    const walked = this.#isSparse(matches) ? null : this.#walkDown(matches, main, tail, 0, count);
    if (walked !== null) return walked;
    const spread = this.#spread(matches);
    const rank = spread.rankOf(main, tail);
    const from = Math.max(0, rank - count);
    return spread.window(from, rank - from).toReversed();
  }

  get byteLength(): number {
    return (
      this.#main.byteLength +
      this.#positions.byteLength +
      this.#live.byteLength +
      this.#tail.ordinals.byteLength * 2
    );
  }

  /** Ordinals in order, as an own copy. */
  toArray(): Uint32Array<ArrayBuffer> {
    return runThrough(this.listed());
  }

  /** As `toArray`; what is removed or inserted meanwhile may be in it or not, at its old place or its new one. */
  *listed(sliceEntries?: number): Slices<Uint32Array<ArrayBuffer>> {
    for (;;) {
      const main = this.#main;
      const merge = new ListMerge(main, this.#tail, this.#stale);
      for (const [from, to] of sliceBounds(main.length + 1, sliceEntries)) {
        if (this.#main !== main) break;
        merge.take(from, to, this.#positions, null);
        if (to > main.length) return merge.ordinals.subarray(0, merge.length);
        yield;
      }
      // `compact` has put another list in its place: what was read so far says nothing.
    }
  }

  /** Replaces everything by ordinals already in order, which become this order's own. Until it is done there is none. */
  *restore(sorted: Uint32Array, capacity: number): Slices {
    this.#touched = null;
    this.#tail = noTail;
    this.#stale = 0;
    this.#main = new Uint32Array(0);
    this.#live = allLive(0);
    this.#positions = new Uint32Array(capacity);
    for (const [from, to] of sliceBounds(capacity)) {
      this.#positions.fill(ABSENT, from, to);
      yield;
    }
    for (const [from, to] of sliceBounds(sorted.length)) {
      for (let index = from; index < to; index++) this.#positions[sorted[index]!] = index;
      yield;
    }
    this.#main = sorted;
    this.#live = allLive(sorted.length);
  }

  /** How many times over a merge is due. */
  get #due(): number {
    const share = Math.max(TAIL_MIN, this.#main.length * TAIL_SHARE);
    return Math.max(this.#stale / share, this.#tail.ordinals.length / Math.min(TAIL_MAX, share));
  }

  /** The entry at that position no longer counts. */
  #leave(position: number): void {
    this.#stale++;
    this.#live[position >>> 5]! &= ~(1 << (position & 31));
  }

  /** Puts a merged list in the place of the main one; what changed since it was begun waits in the tail, or is gone. */
  #replaceMain(main: Uint32Array, positions: Uint32Array, touched: ReadonlySet<number>): void {
    const capacity = this.#positions.length;
    const waiting = this.#tail.ordinals.filter((ordinal) => touched.has(ordinal));
    this.#main = main;
    this.#positions = positions;
    this.#live = allLive(main.length);
    this.#stale = 0;
    this.#reserve(capacity);
    for (const ordinal of touched) {
      const position = this.#positions[ordinal] ?? ABSENT;
      if (position === ABSENT) continue;
      this.#leave(position);
      this.#positions[ordinal] = ABSENT;
    }
    for (const ordinal of waiting) this.#positions[ordinal] = IN_TAIL;
    this.#tail = this.#beforeMain(waiting);
  }

  /** Sorted ordinals with the places they belong to in the main list. */
  #beforeMain(sorted: Uint32Array): SortedTail {
    const before = sorted.map((ordinal) => this.#keyOf((other) => this.#compare(other, ordinal)));
    return { ordinals: sorted, before };
  }

  #areFew(matches: OrdinalSet): boolean {
    return matches.size <= FEW_MAX && this.#isSparse(matches);
  }

  /** All matches in order, from their places alone. */
  #sortFew(matches: OrdinalSet): number[] {
    const places: number[] = [];
    const waiting: number[] = [];
    for (const ordinal of matches.toArray()) {
      const position = this.#positions[ordinal]!;
      if (position < IN_TAIL) places.push(position);
      else if (position === IN_TAIL) waiting.push(ordinal);
    }
    const { ordinals, before } = this.#beforeMain(Uint32Array.from(waiting).toSorted(this.#compare));
    const sorted: number[] = [];
    let next = 0;
    for (const place of Uint32Array.from(places).toSorted()) {
      while (next < ordinals.length && before[next]! <= place) sorted.push(ordinals[next++]!);
      sorted.push(this.#main[place]!);
    }
    sorted.push(...ordinals.subarray(next));
    return sorted;
  }

  /** A walk meets a match so rarely that it need not be tried. */
  #isSparse(matches: OrdinalSet): boolean {
    return matches.size * 64 < this.#main.length;
  }

  /**
   * Null when so many steps met too few matches: they may all stand at the far end.
   *
   * @param main - index of the first entry to look at; @param tail - the same in the tail
   */
  #walkUp(matches: OrdinalSet, main: number, tail: number, skip: number, count: number): number[] | null {
    const { ordinals, before } = this.#tail;
    const found: number[] = [];
    const lastStep = main + WALK_STEPS_MAX * 2;
    let left = skip;
    for (let index = main, waiting = tail; ; index++) {
      for (; waiting < ordinals.length && before[waiting]! <= index; waiting++)
        if (matches.has(ordinals[waiting]!) && left-- <= 0 && found.push(ordinals[waiting]!) === count)
          return found;
      if (index >= this.#main.length) return found;
      if (index > lastStep) return null;
      const ordinal = this.#main[index]!;
      if (
        this.#positions[ordinal] === index &&
        matches.has(ordinal) &&
        left-- <= 0 &&
        found.push(ordinal) === count
      )
        return found;
    }
  }

  /** As `#walkUp`, from just below the two ends downwards. */
  #walkDown(
    matches: OrdinalSet,
    endMain: number,
    endTail: number,
    skip: number,
    count: number,
  ): number[] | null {
    const { ordinals, before } = this.#tail;
    const found: number[] = [];
    const lastStep = endMain - WALK_STEPS_MAX * 2;
    let left = skip;
    for (let index = endMain - 1, waiting = endTail - 1; ; index--) {
      for (; waiting >= 0 && before[waiting]! > index; waiting--)
        if (matches.has(ordinals[waiting]!) && left-- <= 0 && found.push(ordinals[waiting]!) === count)
          return found;
      if (index < 0) return found;
      if (index < lastStep) return null;
      const ordinal = this.#main[index]!;
      if (
        this.#positions[ordinal] === index &&
        matches.has(ordinal) &&
        left-- <= 0 &&
        found.push(ordinal) === count
      )
        return found;
    }
  }

  /** First entries of main list and tail that are not before the sought position. */
  #find(compare: CompareToPosition): { readonly main: number; readonly tail: number } {
    const { ordinals } = this.#tail;
    let from = 0;
    let to = ordinals.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (compare(ordinals[middle]!) < 0) from = middle + 1;
      else to = middle;
    }
    return { main: this.#keyOf(compare), tail: from };
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

  /** All matches as bits by position: what deep pages are cut from. */
  #spread(matches: OrdinalSet): SpreadMatches {
    // Of more than half it is the others that are marked.
    const ofMembers = matches.size * 2 <= this.#main.length;
    const bits = ofMembers ? new Uint32Array(this.#live.length) : this.#live.slice();
    matches.markPositions(this.#positions, IN_TAIL, bits, ofMembers);
    const { ordinals, before } = this.#tail;
    const tail: TailMatch[] = [];
    for (let index = 0; index < ordinals.length; index++)
      if (matches.has(ordinals[index]!))
        tail.push({ index, ordinal: ordinals[index]!, before: before[index]! });
    return {
      window: (from, count) => selectWindow(bits, this.#main, tail, from, count),
      rankOf: (main, waiting) =>
        countBelow(bits, main) + tail.reduce((count, { index }) => count + Number(index < waiting), 0),
    };
  }

  #dropFromTail(): void {
    const { ordinals, before } = this.#tail;
    const waits = (_: number, index: number): boolean => this.#positions[ordinals[index]!] === IN_TAIL;
    this.#tail = { ordinals: ordinals.filter(waits), before: before.filter(waits) };
  }

  #reserve(capacity: number): void {
    if (capacity <= this.#positions.length) return;
    const grown = new Uint32Array(Math.max(capacity, Math.ceil(this.#positions.length * 1.25))).fill(ABSENT);
    grown.set(this.#positions);
    this.#positions = grown;
  }
}

interface SpreadMatches {
  readonly window: (from: number, count: number) => number[];
  /** Matches that stand before these places in main list and tail. */
  readonly rankOf: (main: number, tail: number) => number;
}

/** As many set bits. */
const allLive = (length: number): Uint32Array => {
  const bits = new Uint32Array((length >>> 5) + 1).fill(ALL_BITS);
  bits[length >>> 5] = 2 ** (length & 31) - 1;
  return bits;
};
