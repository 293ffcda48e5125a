import {
  type AssetQuery,
  decodeAssetCursor,
  encodeAssetCursor,
  type Ordinal,
  type SortKey,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { OrdinalSet } from "./bitmap/ordinal-set.ts";
import type { CompareToPosition, OrderColumns } from "./order/asset-order.ts";
import { storageOrder } from "./order/storage-order.ts";

/** What pages are cut from: one order over all assets. */
export interface Pageable {
  window(matches: OrdinalSet, from: number, count: number): number[];
  after(matches: OrdinalSet, position: CompareToPosition, count: number): number[];
  before(matches: OrdinalSet, position: CompareToPosition, count: number): number[];
}

/** What a page is cut from: the index, or what a view a little behind saw of it. */
export interface PageSource {
  readonly columns: OrderColumns;
  order(sort: Exclude<SortKey, "none">): Pageable;
  ordinalOf(id: Uint8Array): Ordinal | null;
}

/** The ordinals of the page a query asks for, in its order. */
export const cutPage = (source: PageSource, query: AssetQuery, matches: OrdinalSet): Ordinal[] => {
  const order: Pageable = query.sort === "none" ? storageOrder : source.order(query.sort);
  const { start, limit } = query;
  if (start.kind === "page") return numberedPage(order, matches, (start.page - 1) * limit, query);
  const position = findPosition(source, query);
  const forward = start.kind !== "before";
  // Falling order walks the rising one backwards; the page before an asset is read away from it and turned round.
  const found =
    forward === (query.direction === "asc")
      ? order.after(matches, position, limit)
      : order.before(matches, position, limit);
  return forward ? found : found.toReversed();
};

/** Token of the last asset shown: the next page starts behind its sort position, even when the asset is gone by then. */
export const cursorOf = (source: PageSource, query: AssetQuery, page: readonly Ordinal[]): string | null => {
  const last = page.at(-1);
  if (last === undefined) return null;
  const { sort, direction } = query;
  return encodeAssetCursor({
    sort,
    direction,
    position: positionKey(source.columns, sort, last),
    id: source.columns.id(last),
  });
};

const numberedPage = (order: Pageable, matches: OrdinalSet, offset: number, query: AssetQuery): Ordinal[] => {
  if (query.direction === "asc") return order.window(matches, offset, query.limit);
  const end = matches.size - offset;
  if (end <= 0) return [];
  const from = Math.max(0, end - query.limit);
  return order.window(matches, from, end - from).toReversed();
};

const positionKey = (columns: OrderColumns, sort: SortKey, ordinal: Ordinal): number => {
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

/** How assets stand against the one (or the cursor) the page starts at. */
const findPosition = (source: PageSource, query: AssetQuery): CompareToPosition => {
  const { start } = query;
  if (start.kind === "cursor") {
    const { position, id } = decodeAssetCursor(start.cursor, query);
    return comparePosition(source, query.sort, position, id);
  }
  if (start.kind === "page") return () => 1;
  const ordinal = source.ordinalOf(start.id);
  if (ordinal === null)
    throw new LamplightError("PARAM__INVALID", {
      parameter: start.kind,
      position: null,
      reason: "is not an asset known here",
    });
  return comparePosition(source, query.sort, positionKey(source.columns, query.sort, ordinal), start.id);
};

const comparePosition = (
  source: PageSource,
  sort: SortKey,
  position: number,
  id: Uint8Array,
): CompareToPosition => {
  if (sort === "none") return (ordinal) => ordinal - position;
  return (ordinal, columns = source.columns) =>
    positionKey(columns, sort, ordinal) - position || columns.compareIdTo(ordinal, id);
};
