import type { AssetPlace, Ordinal, SortKey } from "@lamplight/core";
import type { KnownIds } from "../known-ids.ts";
import type { OrderColumns } from "./asset-order.ts";
import type { CompareToPosition } from "./compare.ts";

// Places in an order (see `AssetPlace`), read from columns without an object for each asset.

const positionAt = (columns: OrderColumns, sort: SortKey, ordinal: Ordinal): number => {
  switch (sort) {
    case "id":
      return 0;
    case "none":
      return ordinal;
    case "created":
      return columns.createdSlot(ordinal);
    case "updated":
      return columns.updatedSlot(ordinal);
    default:
      return sort satisfies never;
  }
};

/** Its id may be no more than a prefix, which compares as the id does: see `idOrPrefix`. */
export const placeAt = (
  columns: OrderColumns,
  sort: SortKey,
  ordinal: Ordinal,
  known: KnownIds,
): AssetPlace => ({
  position: positionAt(columns, sort, ordinal),
  id: columns.idOrPrefix(ordinal, known),
});

/** Compares assets with a place, ascending. `known` has what `SearchIndex.unknownTied` says of its id. */
export const compareToPlace = (
  columns: OrderColumns,
  sort: SortKey,
  { position, id }: AssetPlace,
  known: KnownIds,
): CompareToPosition =>
  sort === "none"
    ? (ordinal) => ordinal - position
    : (ordinal) => positionAt(columns, sort, ordinal) - position || columns.compareIdTo(ordinal, id, known);
