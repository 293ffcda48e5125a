import {
  type AssetChange,
  type Criterion,
  type NumberedFacts,
  type Ordinal,
  type SortKey,
  type TermReader,
  matchesCriterion,
} from "@lamplight/core";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import type { OrderColumns } from "../order/asset-order.ts";
import type { PageSource } from "../page.ts";
import type { SearchIndex } from "../search-index.ts";
import { EarlierOrder } from "./earlier-order.ts";

/**
 * An index as a view saw it that is a few changes behind: every asset that changed since is taken out, and put back as
 * the view's own facts say.
 */
export class EarlierState implements PageSource {
  readonly columns: OrderColumns;
  readonly #index: SearchIndex;
  readonly #terms: TermReader;
  /** Everything that changed since. */
  #changed = OrdinalSet.empty();
  /** Those of them that the view knows, as it knows them. */
  readonly #rows = new Map<Ordinal, NumberedFacts>();

  constructor(index: SearchIndex, terms: TermReader) {
    this.#index = index;
    this.#terms = terms;
    this.columns = this.#columns();
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
    return this.#put(this.#index.existing, () => true);
  }

  /** Members of a criterion, from those the index has now, or had at any time since. */
  members(criterion: Criterion, members: OrdinalSet): OrdinalSet {
    return this.#put(members, (row) => matchesCriterion(criterion, row));
  }

  order(sort: Exclude<SortKey, "none">): EarlierOrder {
    const { columns } = this;
    const slotOf = { id: () => 0, created: columns.createdSlot, updated: columns.updatedSlot }[sort];
    const compare = (a: Ordinal, b: Ordinal): number =>
      slotOf(a) - slotOf(b) || columns.compareIdTo(a, columns.id(b));
    return new EarlierOrder({
      order: this.#index.order(sort),
      now: this.#index.columns,
      changed: this.#changed,
      sorted: [...this.#rows.keys()].toSorted(compare),
      compare,
    });
  }

  ordinalOf(id: Uint8Array): Ordinal | null {
    for (const row of this.#rows.values()) if (Buffer.compare(row.id, id) === 0) return row.ordinal;
    const ordinal = this.#index.ordinalOf(id);
    return ordinal === null || this.#changed.has(ordinal) ? null : ordinal;
  }

  #put(members: OrdinalSet, holds: (row: NumberedFacts) => boolean): OrdinalSet {
    const rows = [...this.#rows.values()].filter(holds).map(({ ordinal }) => ordinal);
    return members.andNot(this.#changed).or(OrdinalSet.fromSorted(Uint32Array.from(rows).toSorted()));
  }

  /** Null for one that came and went between two looks of the index: it never learnt of it. */
  #idOf({ ordinal, facts }: AssetChange): Uint8Array | null {
    if (facts !== null) return facts.id;
    const { columns } = this.#index;
    if (ordinal >= columns.length) return null;
    const id = columns.id(ordinal).slice();
    return id.every((byte) => byte === 0) ? null : id;
  }

  #columns(): OrderColumns {
    const { columns } = this.#index;
    const rows = this.#rows;
    return {
      id: (ordinal) => rows.get(ordinal)?.id ?? columns.id(ordinal),
      createdSlot: (ordinal) => rows.get(ordinal)?.createdSlot ?? columns.createdSlot(ordinal),
      updatedSlot: (ordinal) => rows.get(ordinal)?.updatedSlot ?? columns.updatedSlot(ordinal),
      compareIdTo: (ordinal, id) => {
        const row = rows.get(ordinal);
        return row === undefined ? columns.compareIdTo(ordinal, id) : Buffer.compare(row.id, id);
      },
    };
  }
}
