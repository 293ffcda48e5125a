import {
  type AssetChange,
  type Criterion,
  type NumberedFacts,
  type Ordinal,
  type PageReader,
  type SortKey,
  type TermReader,
  matchesCriterion,
  patchPages,
  placeIn,
} from "@lamplight/core";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import { readPages } from "../page.ts";
import type { SearchIndex } from "../search-index.ts";

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

  constructor(index: SearchIndex, terms: TermReader) {
    this.#index = index;
    this.#terms = terms;
  }

  /** What changed between the view and the index and is not read yet; null when the view is too far behind. */
  unread(): readonly AssetChange[] | null {
    const changes = this.#index.changesAfter(this.#terms.changeSeq);
    return changes && changes.filter(({ ordinal }) => !this.#changed.has(ordinal));
  }

  /** Reads them as the view has them; false when one cannot be found. */
  async read(changes: readonly AssetChange[]): Promise<boolean> {
    const ids = changes.flatMap((change) => this.#idOf(change) ?? []);
    if (ids.length < changes.length) return false;
    const rows = await this.#terms.readFacts(ids);
    for (const { ordinal } of changes) this.#changed.add(ordinal);
    for (const row of rows) {
      if (row === null) continue;
      this.#changed.add(row.ordinal);
      this.#rows.set(row.ordinal, row);
    }
    return true;
  }

  get existing(): OrdinalSet {
    return this.#patch(this.#index.existing, () => true);
  }

  /** Members of a criterion, from those the index has now, or had at any time since. */
  members(criterion: Criterion, members: OrdinalSet): OrdinalSet {
    return this.#patch(members, (row) => matchesCriterion(criterion, row));
  }

  idOf(ordinal: Ordinal): Uint8Array {
    return this.#rows.get(ordinal)?.id ?? this.#index.columns.id(ordinal);
  }

  /** Pages of these matches: the index's own of what did not change, and the view's rows merged in. */
  pages(sort: SortKey, matches: OrdinalSet): PageReader<Ordinal> {
    const unchanged = readPages(this.#index, sort, matches.andNot(this.#changed));
    const placeOf = (ordinal: Ordinal) => {
      const row = this.#rows.get(ordinal);
      return row === undefined ? unchanged.placeOf(ordinal) : placeIn(sort, row);
    };
    const findPlace = (id: Uint8Array) => {
      const ordinal = this.#ordinalOf(id);
      return ordinal === null ? null : placeOf(ordinal);
    };
    const added = [...this.#rows.keys()].filter((ordinal) => matches.has(ordinal));
    return patchPages({ ...unchanged, placeOf, findPlace }, sort, {
      isHidden: () => false,
      removed: [],
      added,
    });
  }

  #ordinalOf(id: Uint8Array): Ordinal | null {
    for (const row of this.#rows.values()) if (Buffer.compare(row.id, id) === 0) return row.ordinal;
    const ordinal = this.#index.ordinalOf(id);
    return ordinal === null || this.#changed.has(ordinal) ? null : ordinal;
  }

  #patch(members: OrdinalSet, holds: (row: NumberedFacts) => boolean): OrdinalSet {
    const rows = [...this.#rows.values()].filter(holds).map(({ ordinal }) => ordinal);
    return members.andNot(this.#changed).or(OrdinalSet.fromSorted(Uint32Array.from(rows).toSorted()));
  }

  /** Null for one that came and went between two polls of the index: it never saw its facts. */
  #idOf({ ordinal, facts }: AssetChange): Uint8Array | null {
    if (facts !== null) return facts.id;
    const { columns } = this.#index;
    if (ordinal >= columns.length) return null;
    const id = columns.id(ordinal).slice();
    return id.every((byte) => byte === 0) ? null : id;
  }
}
