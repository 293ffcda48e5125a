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

/** Token that goes on behind a row; null when there is none. */
export const cursorOf = (
  { sort, direction }: { readonly sort: AssetQuery["sort"]; readonly direction: SortDirection },
  row: Row | undefined,
): string | null =>
  row === undefined
    ? null
    : encodeAssetCursor({ sort, direction, position: positionOf({ sort }, row), id: row.id });
