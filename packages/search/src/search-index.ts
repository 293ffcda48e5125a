import {
  type AssetChange,
  type BriefChange,
  type BriefFacts,
  type Criterion,
  type Ordinal,
  matchesCriterion,
  termKey,
  termKeysOf,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { AssetColumns } from "./asset-columns.ts";
import { OrdinalSet } from "./bitmap/ordinal-set.ts";
import { RecentChanges } from "./earlier/recent-changes.ts";
import { AssetOrder } from "./order/asset-order.ts";
import type { CompareOrdinals } from "./order/compare.ts";
import { type KeptSort, movedBy, sorts } from "./order/moved-by.ts";
import { closedTerms, metByTerm } from "./terms/closed-terms.ts";
import { addressBytesOf, isMetBy, keyOf, type TermCriterion } from "./terms/term-criterion.ts";
import { NumberParts, PART_BITS } from "./number-parts.ts";
import { listOrdinals, listTied, sortByPrefix, sortBySlot, sortTied } from "./order/sort-ordinals.ts";
import { KEPT_BYTES_MAX, KEPT_TERMS_MAX } from "./kept-limits.ts";
import { IndexHistory, type ViewState } from "./index-history.ts";
import type { KnownIds } from "./known-ids.ts";
import type { Slices } from "./slices.ts";
import { TiedIds } from "./tied-ids.ts";

/** A criterion whose matches are kept in memory and updated with every change. */
export interface Term<One extends TermCriterion = Criterion> {
  readonly criterion: One;
  readonly members: OrdinalSet;
}

export interface MemoryReport {
  readonly assets: number;
  readonly terms: number;
  readonly columnBytes: number;
  readonly orderBytes: number;
  readonly termBytes: number;
}

const bytesOf = ({ criterion, members }: Term<TermCriterion>): number =>
  members.byteLength + addressBytesOf(criterion);

type Orders = { readonly [key in KeptSort]: AssetOrder };

/**
 * Terms, columns and orders over all existing assets at one change counter. Pure memory: it neither reads nor waits, so
 * that a change or an answer is one synchronous step. Longer work comes in slices.
 */
export class SearchIndex {
  /** Memory of the terms kept next to the closed ones. */
  keptBytesMax = KEPT_BYTES_MAX;
  /** The openings that wrote the changes taken in so far. */
  history = new IndexHistory();
  readonly columns: AssetColumns;
  readonly #partBits: number;
  #existing = OrdinalSet.empty();
  /** Always complete: what is not in here matches nothing. */
  readonly #closed = new Map<string, Term>();
  /** The least recently asked first. */
  readonly #kept = new Map<string, Term<TermCriterion>>();
  readonly #orders: Orders;
  readonly #ties: TiedIds;
  readonly #recent = new RecentChanges();
  readonly #noting = new Set<(changes: readonly AssetChange[]) => void>();
  #changeSeq = 0;
  #settled = true;
  /** During a fill the orders wait: sorting once at the end is far cheaper. */
  #filling = false;
  /** All assets by the prefixes of their ids, from `sortFill` to `endFill`. */
  #byPrefix: NumberParts;

  /** @param partBits - fewer in tests, so that few assets make many parts */
  constructor(partBits = PART_BITS) {
    this.columns = new AssetColumns(partBits);
    const { columns } = this;
    this.#partBits = partBits;
    this.#byPrefix = new NumberParts(partBits);
    const byId = (a: number, b: number): number => columns.compareIds(a, b);
    const order = (compare: CompareOrdinals): AssetOrder => new AssetOrder(compare, partBits);
    this.#orders = {
      id: order(byId),
      created: order((a, b) => columns.createdSlot(a) - columns.createdSlot(b) || byId(a, b)),
      updated: order((a, b) => columns.updatedSlot(a) - columns.updatedSlot(b) || byId(a, b)),
    };
    this.#ties = new TiedIds(columns, this.#orders.id);
    for (const { key, criterion } of closedTerms)
      this.#closed.set(key, { criterion, members: OrdinalSet.empty() });
  }

  /** Changes taken in so far, in the store's counting. */
  get changeSeq(): number {
    return this.#changeSeq;
  }

  /**
   * Whether this is exactly the state at that change counter. In the middle of a page-wise catch-up it is the state at
   * none: assets that changed again later are missing from the earlier pages.
   */
  isAt(changeSeq: number): boolean {
    return this.#settled && this.#changeSeq === changeSeq;
  }

  /** The changes after a view. Null where the index is not there, or too far past it, or never was at this state. */
  changesAfter(view: ViewState): readonly AssetChange[] | null {
    const { changeSeq } = view;
    if (!this.#settled || this.#changeSeq < changeSeq || !this.history.has(view)) return null;
    return this.#changeSeq === changeSeq ? [] : this.#recent.after(changeSeq);
  }

  /** Every asset there is. */
  get existing(): OrdinalSet {
    return this.#existing;
  }

  order(sort: KeptSort): AssetOrder {
    return this.#orders[sort];
  }

  /** See `TiedIds.unknown`. */
  unknownTied(ids: Iterable<Uint8Array>, known: KnownIds): Ordinal[] {
    return this.#ties.unknown(ids, known);
  }

  /** See `TiedIds.unknownBy`. */
  unknownTiedBy(changes: readonly AssetChange[]): Ordinal[] {
    return this.#ties.unknownBy(changes, this.#existing);
  }

  /**
   * Applies a committed batch, see `takeChanges`. The last of several changes of one asset counts.
   *
   * @param settled - false for all but the last page of a catch-up
   */
  apply(changes: readonly AssetChange[], changeSeq: number, settled = true): void {
    const last = [...new Map(changes.map((change) => [change.ordinal, change])).values()];
    const [unknown] = this.unknownTiedBy(last);
    if (unknown !== undefined) throw brokenInvariant(`the id of asset number ${unknown} was not read`);
    const moved = movedBy(last, this.columns, this.#existing);
    for (const sort of sorts) this.#orders[sort].remove(moved[sort].map(({ ordinal }) => ordinal));
    this.#ties.tieNew(moved.id);
    for (const change of last) this.#applyOne(change);
    for (const sort of sorts) this.#insertInto(this.#orders[sort], moved[sort]);
    this.#moveTo(changeSeq, settled);
    this.#recent.take(changes, changeSeq);
    for (const note of this.#noting) note(last);
  }

  /** Reports what changes from now on, each asset once in a batch, until the answer is called. */
  noteChanges(note: (changes: readonly AssetChange[]) => void): () => void {
    this.#noting.add(note);
    return () => void this.#noting.delete(note);
  }

  /** Whether `tidy` is due. */
  get isUntidy(): boolean {
    return sorts.some((sort) => this.#orders[sort].isUntidy);
  }

  /** Merges what has piled up next to the orders. Changes and answers may come between two slices. */
  *tidy(): Slices {
    for (const sort of sorts) if (this.#orders[sort].isUntidy) yield* this.#orders[sort].compact();
  }

  /** Begins to take in a whole store: until `endFill` by `applyFill`, and orders wait. */
  startFill(): void {
    this.#filling = true;
    this.#kept.clear();
  }

  /** Whether a fill is under way. */
  get isFilling(): boolean {
    return this.#filling;
  }

  /** As `apply`, during a fill: page by page into each closed term, which are all there are. */
  applyFill(changes: readonly BriefChange[], changeSeq: number, settled: boolean): void {
    const last = new Map<Ordinal, BriefChange>(changes.map((change) => [change.ordinal, change]));
    const present: { readonly ordinal: Ordinal; readonly facts: BriefFacts }[] = [];
    for (const { ordinal, facts } of last.values()) {
      // The asset changed again since an earlier page, or was removed.
      if (facts === null || this.existing.has(ordinal)) this.#removeOne(ordinal);
      if (facts !== null) present.push({ ordinal, facts });
    }
    present.sort((a, b) => a.ordinal - b.ordinal);
    for (const { ordinal, facts } of present)
      this.columns.set(ordinal, facts.id, facts.createdSlot, facts.updatedSlot);
    this.existing.addSorted(present.map(({ ordinal }) => ordinal));
    const met = metByTerm(present);
    for (const { key, place } of closedTerms) this.#closed.get(key)!.members.addSorted(met[place]!);
    this.#moveTo(changeSeq, settled);
    this.#recent.beginAt(changeSeq);
  }

  /**
   * Begins to put everything in order. Nothing may be applied until `endFill` is done; until then the fill is under way.
   * @returns assets whose whole ids `endFill` needs in `columns.tied`
   */
  *sortFill(): Slices<readonly Ordinal[]> {
    this.#byPrefix = yield* sortByPrefix(this.columns, yield* listOrdinals(this.existing, this.#partBits));
    return yield* listTied(this.columns, this.#byPrefix);
  }

  *endFill(): Slices {
    const { columns } = this;
    const byId = this.#byPrefix;
    this.#byPrefix = new NumberParts(this.#partBits);
    yield* sortTied(columns, byId);
    for (const [sort, slotOf] of [
      ["created", columns.createdSlot.bind(columns)],
      ["updated", columns.updatedSlot.bind(columns)],
    ] as const)
      yield* this.#orders[sort].restore(yield* sortBySlot(byId, slotOf), columns.length);
    yield* this.#orders.id.restore(byId, columns.length);
    this.#filling = false;
  }

  /** Members of the term of a criterion; null when it is not kept. */
  findTerm(criterion: TermCriterion): OrdinalSet | null {
    return this.findByKey(keyOf(criterion))?.members ?? null;
  }

  /** As `findTerm`. */
  findByKey(key: string | null): Term<TermCriterion> | null {
    if (key === null) return null;
    const closed = this.#closed.get(key);
    if (closed !== undefined) return closed;
    const kept = this.#kept.get(key);
    if (kept === undefined) return null;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  /** Keeps a term from now on; `members` must be true at the present change counter. */
  promote(criterion: TermCriterion, members: OrdinalSet): void {
    const key = keyOf(criterion);
    if (key === null || this.#closed.has(key)) return;
    // One that alone takes more than all may would only push the others out.
    if (bytesOf({ criterion, members }) > this.keptBytesMax) return;
    this.#kept.delete(key);
    this.#kept.set(key, { criterion, members });
    this.#makeRoom();
  }

  /**
   * The asset with this id; null when there is none.
   *
   * @param known - has what `unknownTied` says of this id
   */
  ordinalOf(id: Uint8Array, known: KnownIds): Ordinal | null {
    const ordinal = this.#orders.id.firstFrom((other) => this.columns.compareIdTo(other, id, known));
    return ordinal !== null && this.columns.compareIdTo(ordinal, id, known) === 0 ? ordinal : null;
  }

  /** Every kept term that a store can read, for `verify` and for saving. */
  *terms(): Generator<Term> {
    for (const { criterion, members } of this.#allTerms())
      if (criterion.kind !== "inheritsFromAny") yield { criterion, members };
  }

  memory(): MemoryReport {
    let termBytes = this.existing.byteLength;
    for (const term of this.#allTerms()) termBytes += bytesOf(term);
    return {
      assets: this.existing.size,
      terms: this.#closed.size + this.#kept.size,
      columnBytes: this.columns.byteLength,
      orderBytes: Object.values(this.#orders).reduce((bytes, order) => bytes + order.byteLength, 0),
      termBytes,
    };
  }

  /** Replaces the state by a saved one; see `saved-index.ts`. */
  *restore(saved: {
    readonly changeSeq: number;
    readonly existing: OrdinalSet;
    readonly terms: readonly Term[];
    readonly orders: { readonly [key in keyof Orders]: NumberParts };
    /** Whether it is the state at that counter; else what changed since has to be taken in first. */
    readonly isWhole: boolean;
  }): Slices {
    this.#existing = saved.existing;
    for (const { criterion, members } of saved.terms) {
      const key = termKey(criterion);
      if (key !== null) (this.#closed.has(key) ? this.#closed : this.#kept).set(key, { criterion, members });
    }
    for (const sort of sorts) yield* this.#orders[sort].restore(saved.orders[sort], this.columns.length);
    this.#moveTo(saved.changeSeq, saved.isWhole);
    this.#recent.beginAt(saved.changeSeq);
  }

  #makeRoom(): void {
    let bytes = 0;
    for (const term of this.#kept.values()) bytes += bytesOf(term);
    for (const [key, term] of this.#kept) {
      if (this.#kept.size <= KEPT_TERMS_MAX && bytes <= this.keptBytesMax) return;
      this.#kept.delete(key);
      bytes -= bytesOf(term);
    }
  }

  #applyOne({ ordinal, facts }: AssetChange): void {
    if (facts === null) return this.#removeOne(ordinal);
    this.columns.set(ordinal, facts.id, facts.createdSlot, facts.updatedSlot);
    this.existing.add(ordinal);
    for (const { criterion, members } of this.#closed.values())
      if (matchesCriterion(criterion, facts)) members.add(ordinal);
      else members.remove(ordinal);
    if (this.#kept.size === 0) return;
    // Asking hundreds of criteria one by one is slower than naming the few that the asset meets.
    const met = new Set(termKeysOf(facts));
    for (const [key, { criterion, members }] of this.#kept)
      if (criterion.kind === "inheritsFromAny" ? isMetBy(criterion, facts) : met.has(key))
        members.add(ordinal);
      else members.remove(ordinal);
  }

  *#allTerms(): Generator<Term<TermCriterion>> {
    yield* this.#closed.values();
    yield* this.#kept.values();
  }

  #removeOne(ordinal: Ordinal): void {
    this.existing.remove(ordinal);
    this.columns.tied.delete(ordinal);
    for (const term of this.#allTerms()) term.members.remove(ordinal);
  }

  #moveTo(changeSeq: number, settled: boolean): void {
    this.#changeSeq = Math.max(this.#changeSeq, changeSeq);
    this.#settled = settled;
  }

  #insertInto(order: AssetOrder, changes: readonly AssetChange[]): void {
    const present = changes.filter(({ facts }) => facts !== null).map(({ ordinal }) => ordinal);
    order.insert(present, this.columns.length);
  }
}
