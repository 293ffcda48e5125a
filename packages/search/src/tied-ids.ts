import type { AssetChange, Ordinal } from "@lamplight/core";
import { type AssetColumns, prefixOf } from "./asset-columns.ts";
import type { OrdinalSet } from "./bitmap/ordinal-set.ts";
import type { KnownIds } from "./known-ids.ts";
import type { AssetOrder } from "./order/asset-order.ts";

/**
 * Finds the assets that need whole ids: those that share the prefix of one with another. All assets in the order by id
 * that share a prefix are in `columns.tied`. So one that is not there has its prefix alone.
 */
export class TiedIds {
  readonly #columns: AssetColumns;
  readonly #byId: AssetOrder;

  constructor(columns: AssetColumns, byId: AssetOrder) {
    this.#columns = columns;
    this.#byId = byId;
  }

  /**
   * Assets that share the prefix of one of these ids, where no whole id of theirs is known. It is to be read before
   * these ids are compared with the orders.
   *
   * @param known - whole ids that were read for one answer
   */
  unknown(ids: Iterable<Uint8Array>, known?: KnownIds): Ordinal[] {
    const { tied } = this.#columns;
    const unknown = new Set<Ordinal>();
    for (const id of ids) {
      const ordinal = this.#firstWith(prefixOf(id));
      if (ordinal !== null && !tied.has(ordinal) && known?.has(ordinal) !== true) unknown.add(ordinal);
    }
    return [...unknown];
  }

  /**
   * The method does the same as `unknown` for the ids that a batch brings in. An asset that the batch removes is
   * compared with nothing.
   */
  unknownBy(changes: readonly AssetChange[], existing: OrdinalSet): Ordinal[] {
    const removed = new Set<Ordinal>();
    const ids: Uint8Array[] = [];
    for (const { ordinal, facts } of new Map(changes.map((change) => [change.ordinal, change])).values())
      if (facts === null) removed.add(ordinal);
      else if (!existing.has(ordinal)) ids.push(facts.id);
    return this.unknown(ids).filter((ordinal) => !removed.has(ordinal));
  }

  /** An asset that comes in and shares a prefix is tied from now on. The other already is, or comes in with it. */
  tieNew(changes: readonly AssetChange[]): void {
    const { tied } = this.#columns;
    const inBatch = new Map<number, { readonly ordinal: Ordinal; readonly id: Uint8Array }>();
    for (const { ordinal, facts } of changes) {
      if (facts === null) continue;
      const { id } = facts;
      const prefix = prefixOf(id);
      const other = inBatch.get(prefix);
      inBatch.set(prefix, { ordinal, id });
      if (other !== undefined) tied.set(other.ordinal, other.id);
      if (other !== undefined || tied.has(ordinal) || this.#firstWith(prefix) !== null) tied.set(ordinal, id);
    }
  }

  #firstWith(prefix: number): Ordinal | null {
    const columns = this.#columns;
    const ordinal = this.#byId.firstFrom((other) => columns.prefix(other) - prefix);
    return ordinal !== null && columns.prefix(ordinal) === prefix ? ordinal : null;
  }
}
