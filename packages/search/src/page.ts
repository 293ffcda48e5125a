import type { AssetPlace, Ordinal, PageReader, SortKey } from "@lamplight/core";
import type { OrdinalSet } from "./bitmap/ordinal-set.ts";
import type { CompareToPosition } from "./order/asset-order.ts";
import { compareToPlace, placeAt } from "./order/column-places.ts";
import { storageOrder } from "./order/storage-order.ts";
import type { SearchIndex } from "./search-index.ts";

/** One order over all assets, ascending. */
interface Pageable {
  window(matches: OrdinalSet, from: number, count: number): number[];
  after(matches: OrdinalSet, position: CompareToPosition, count: number): number[];
  /** Nearest first. */
  before(matches: OrdinalSet, position: CompareToPosition, count: number): number[];
}

/** Pages of these matches as the index has them now. Descending pages walk the ascending order backwards. */
export const readPages = (index: SearchIndex, sort: SortKey, matches: OrdinalSet): PageReader<Ordinal> => {
  const { columns } = index;
  const order: Pageable = sort === "none" ? storageOrder : index.order(sort);
  const placeOf = (ordinal: Ordinal): AssetPlace => placeAt(columns, sort, ordinal);
  return {
    count: () => matches.size,
    read: ({ direction, from, limit }) => {
      const isAscending = direction === "asc";
      if (typeof from !== "number") {
        const position = compareToPlace(columns, sort, from);
        return isAscending ? order.after(matches, position, limit) : order.before(matches, position, limit);
      }
      if (isAscending) return order.window(matches, from, limit);
      const end = matches.size - from;
      if (end <= 0) return [];
      const start = Math.max(0, end - limit);
      return order.window(matches, start, end - start).toReversed();
    },
    findPlace: (id) => {
      const ordinal = index.ordinalOf(id);
      return ordinal === null ? null : placeOf(ordinal);
    },
    ordinalOf: (ordinal) => ordinal,
    placeOf,
  };
};
