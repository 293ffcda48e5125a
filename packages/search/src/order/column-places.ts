import type { AssetPlace, Ordinal, SortKey } from "@lamplight/core";
import type { CompareToPosition, OrderColumns } from "./asset-order.ts";

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

export const placeAt = (columns: OrderColumns, sort: SortKey, ordinal: Ordinal): AssetPlace => ({
  position: positionAt(columns, sort, ordinal),
  id: columns.id(ordinal),
});

/** How assets compare with a place, ascending. */
export const compareToPlace = (
  columns: OrderColumns,
  sort: SortKey,
  { position, id }: AssetPlace,
): CompareToPosition =>
  sort === "none"
    ? (ordinal) => ordinal - position
    : (ordinal) => positionAt(columns, sort, ordinal) - position || columns.compareIdTo(ordinal, id);
