import { type AssetPosition, type AssetQuery, encodeAssetCursor, type SortDirection } from "@lamplight/core";

/** One asset with all that the orders look at. */
export type Row = AssetPosition;

type Order = Pick<AssetQuery, "sort" | "direction">;

/** The position beside the id that a cursor carries. */
const positionOf = ({ sort }: Pick<Order, "sort">, row: Row): number => {
  switch (sort) {
    case "id":
      return 0;
    case "none":
      return row.ordinal;
    case "created":
      return row.createdSlot;
    case "updated":
      return row.updatedSlot;
    default:
      return sort satisfies never;
  }
};

/** Below zero when `a` comes first in that order. */
export const compareRows = (order: Order, a: Row, b: Row): number => {
  const rising =
    order.sort === "none"
      ? a.ordinal - b.ordinal
      : positionOf(order, a) - positionOf(order, b) || Buffer.compare(a.id, b.id);
  return order.direction === "asc" ? rising : -rising;
};

/** Token of a row's sort position: the next page starts after it. */
export const cursorOf = (
  { sort, direction }: { readonly sort: AssetQuery["sort"]; readonly direction: SortDirection },
  row: Row,
): string => encodeAssetCursor({ sort, direction, position: positionOf({ sort }, row), id: row.id });
