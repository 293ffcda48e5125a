import {
  type AssetPage,
  type AssetQuery,
  decodeAssetCursor,
  encodeAssetCursor,
  type Ordinal,
  type SortKey,
  unknownStartError,
} from "@lamplight/core";
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

/** The page of a query: its ordinals in order, and the token of the next page if there is one. */
export const cutPage = (
  source: PageSource,
  query: AssetQuery,
  matches: OrdinalSet,
): Pick<AssetPage, "ordinals" | "cursor"> => {
  const order: Pageable = query.sort === "none" ? storageOrder : source.order(query.sort);
  const { start, limit } = query;
  if (start.kind === "page") {
    const offset = (start.page - 1) * limit;
    const ordinals = numberedPage(order, matches, offset, query);
    const hasNext = ordinals.length > 0 && offset + ordinals.length < matches.size;
    return { ordinals, cursor: hasNext ? cursorAfter(source, query, ordinals.at(-1)!) : null };
  }
  const position = findPosition(source, query);
  if (start.kind === "before") {
    // The page before an asset is read away from it and reversed.
    const ordinals = seek(order, query, matches, position, limit, false).toReversed();
    const last = ordinals.at(-1);
    if (last === undefined) return { ordinals, cursor: null };
    const afterLast = positionOf(source, query.sort, last);
    const hasNext = seek(order, query, matches, afterLast, 1, true).length > 0;
    return { ordinals, cursor: hasNext ? cursorAfter(source, query, last) : null };
  }
  // One more than the page holds shows whether another page follows.
  const found = seek(order, query, matches, position, limit + 1, true);
  if (found.length <= limit) return { ordinals: found, cursor: null };
  found.pop();
  return { ordinals: found, cursor: cursorAfter(source, query, found.at(-1)!) };
};

/** Descending order walks the ascending one backwards. */
const seek = (
  order: Pageable,
  query: AssetQuery,
  matches: OrdinalSet,
  position: CompareToPosition,
  count: number,
  forward: boolean,
): number[] =>
  forward === (query.direction === "asc")
    ? order.after(matches, position, count)
    : order.before(matches, position, count);

/** Token of an asset's sort position: the next page starts there, even if the asset is gone by then. */
const cursorAfter = (source: PageSource, query: AssetQuery, last: Ordinal): string => {
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
  if (ordinal === null) throw unknownStartError(start.kind);
  return positionOf(source, query.sort, ordinal);
};

const positionOf = (source: PageSource, sort: SortKey, ordinal: Ordinal): CompareToPosition =>
  comparePosition(source, sort, positionKey(source.columns, sort, ordinal), source.columns.id(ordinal));

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
