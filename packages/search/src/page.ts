import {
  type AssetQuery,
  decodeAssetCursor,
  encodeAssetCursor,
  type Ordinal,
  type SortKey,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { OrdinalSet } from "./bitmap/ordinal-set.ts";
import type { CompareToPosition } from "./order/asset-order.ts";
import type { SearchIndex } from "./search-index.ts";
import { storageOrder } from "./order/storage-order.ts";

/** What pages are cut from: one order over all assets. */
export interface Pageable {
  window(matches: OrdinalSet, from: number, count: number): number[];
  after(matches: OrdinalSet, position: CompareToPosition, count: number): number[];
  before(matches: OrdinalSet, position: CompareToPosition, count: number): number[];
}

/** The ordinals of the page a query asks for, in its order. */
export const cutPage = (index: SearchIndex, query: AssetQuery, matches: OrdinalSet): Ordinal[] => {
  const order: Pageable = query.sort === "none" ? storageOrder : index.order(query.sort);
  const { start, limit } = query;
  if (start.kind === "page") return numberedPage(order, matches, (start.page - 1) * limit, query);
  const position = findPosition(index, query);
  const forward = start.kind !== "before";
  // Falling order walks the rising one backwards; the page before an asset is read away from it and turned round.
  const found =
    forward === (query.direction === "asc")
      ? order.after(matches, position, limit)
      : order.before(matches, position, limit);
  return forward ? found : found.toReversed();
};

/** Token of the last asset shown: the next page starts behind its sort position, even when the asset is gone by then. */
export const cursorOf = (index: SearchIndex, query: AssetQuery, page: readonly Ordinal[]): string | null => {
  const last = page.at(-1);
  if (last === undefined) return null;
  const { sort, direction } = query;
  return encodeAssetCursor({
    sort,
    direction,
    position: positionKey(index, sort, last),
    id: index.columns.id(last),
  });
};

const numberedPage = (order: Pageable, matches: OrdinalSet, offset: number, query: AssetQuery): Ordinal[] => {
  if (query.direction === "asc") return order.window(matches, offset, query.limit);
  const end = matches.size - offset;
  if (end <= 0) return [];
  const from = Math.max(0, end - query.limit);
  return order.window(matches, from, end - from).toReversed();
};

const positionKey = (index: SearchIndex, sort: SortKey, ordinal: Ordinal): number => {
  switch (sort) {
    case "id":
      return 0;
    case "none":
      return ordinal;
    case "created":
      return index.columns.createdSlot(ordinal);
    case "updated":
      return index.columns.updatedSlot(ordinal);
    default:
      return sort satisfies never;
  }
};

/** How assets stand against the one (or the cursor) the page starts at. */
const findPosition = (index: SearchIndex, query: AssetQuery): CompareToPosition => {
  const { start } = query;
  if (start.kind === "cursor") {
    const { position, id } = decodeAssetCursor(start.cursor, query);
    return comparePosition(index, query.sort, position, id);
  }
  if (start.kind === "page") return () => 1;
  const ordinal = index.ordinalOf(start.id);
  if (ordinal === null)
    throw new LamplightError("PARAM__INVALID", {
      parameter: start.kind,
      position: null,
      reason: "is not an asset known here",
    });
  return comparePosition(index, query.sort, positionKey(index, query.sort, ordinal), start.id);
};

const comparePosition = (
  index: SearchIndex,
  sort: SortKey,
  position: number,
  id: Uint8Array,
): CompareToPosition => {
  if (sort === "none") return (ordinal) => ordinal - position;
  return (ordinal) => positionKey(index, sort, ordinal) - position || index.columns.compareIdTo(ordinal, id);
};
