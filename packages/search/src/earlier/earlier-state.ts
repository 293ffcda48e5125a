import {
  type AssetChange,
  atOnce,
  type NumberedFacts,
  type Ordinal,
  type PageReader,
  type SortKey,
  type TermReader,
  patchPages,
  placeIn,
} from "@lamplight/core";
import { counted, either, without } from "../bitmap/combined-set.ts";
import type { CountedSet, MemberSet } from "../bitmap/member-set.ts";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import type { KnownIds } from "../known-ids.ts";
import { type IndexPages, readPages } from "../page.ts";
import type { SearchIndex } from "../search-index.ts";
import { isMetBy, type TermCriterion } from "../terms/term-criterion.ts";

/**
 * The index at the state of a view that is a few changes behind: every asset that changed since is left out, and added
 * again as the view's own facts describe it.
 */
export class EarlierState {
  readonly #index: SearchIndex;
  readonly #terms: TermReader;
  /** Everything that changed since. */
  #changed = OrdinalSet.empty();
  /** Those of them that the view has, as it has them. */
  readonly #rows = new Map<Ordinal, NumberedFacts>();
  /** Whole ids of the rows and of what they are compared with. */
  readonly #known: KnownIds;

  constructor(index: SearchIndex, terms: TermReader, known: KnownIds) {
    this.#index = index;
    this.#terms = terms;
    this.#known = known;
  }

  /** Ids of the rows that were read. */
  *ids(): Generator<Uint8Array> {
    for (const { id } of this.#rows.values()) yield id;
  }

  /** The changes between the view and the index that are not read yet; null when the view is too far behind. */
  unread(): readonly AssetChange[] | null {
    const changes = this.#index.changesAfter(this.#terms);
    return changes && changes.filter(({ ordinal }) => !this.#changed.has(ordinal));
  }

  /** Reads them as the view has them. */
  async read(changes: readonly AssetChange[]): Promise<void> {
    const removed = changes.filter(({ facts }) => facts === null).map(({ ordinal }) => ordinal);
    const rowsOfRemoved = await this.#terms.readPositions(removed);
    const ids = changes.flatMap(({ facts }) => facts?.id ?? []);
    for (const row of rowsOfRemoved) if (row !== undefined) ids.push(row.id);
    const rows = await this.#terms.readFacts(ids);
    for (const { ordinal } of changes) this.#changed.add(ordinal);
    for (const row of rows) {
      if (row === null) continue;
      this.#changed.add(row.ordinal);
      this.#rows.set(row.ordinal, row);
      this.#known.set(row.ordinal, row.id);
    }
  }

  get existing(): MemberSet {
    return this.#patch(this.#index.existing, () => true);
  }

  /** Members of a criterion, from those the index has now, or had at any time since. */
  members(criterion: TermCriterion, members: MemberSet): MemberSet {
    return this.#patch(members, (row) => isMetBy(criterion, row));
  }

  /** Pages of these matches: the index's own of what did not change, and the view's rows merged in. */
  pages(sort: SortKey, matches: CountedSet): IndexPages {
    const rowIds = { terms: this.#terms, known: this.#known };
    const unchanged = readPages(this.#index, sort, counted(without(matches, this.#changed)), rowIds);
    const placeOf = (ordinal: Ordinal) => {
      const row = this.#rows.get(ordinal);
      return row === undefined ? unchanged.placeOf(ordinal) : placeIn(sort, row);
    };
    const wholePlaceOf = async (ordinal: Ordinal) =>
      this.#rows.has(ordinal) ? placeOf(ordinal) : unchanged.wholePlaceOf(ordinal);
    const reader: PageReader<Ordinal> = {
      ...unchanged,
      placeOf,
      findPlace: (id) => {
        const ordinal = this.#ordinalOf(id);
        return atOnce(ordinal === null ? null : placeOf(ordinal));
      },
    };
    const added = [...this.#rows.keys()].filter((ordinal) => matches.has(ordinal));
    return { ...patchPages(reader, sort, { isHidden: () => false, removed: [], added }), wholePlaceOf };
  }

  #ordinalOf(id: Uint8Array): Ordinal | null {
    for (const row of this.#rows.values()) if (Buffer.compare(row.id, id) === 0) return row.ordinal;
    const ordinal = this.#index.ordinalOf(id, this.#known);
    return ordinal === null || this.#changed.has(ordinal) ? null : ordinal;
  }

  #patch(members: MemberSet, holds: (row: NumberedFacts) => boolean): MemberSet {
    const rows = [...this.#rows.values()].filter(holds).map(({ ordinal }) => ordinal);
    const added = OrdinalSet.fromSorted(Uint32Array.from(rows).toSorted());
    return either(without(members, this.#changed), added);
  }
}
