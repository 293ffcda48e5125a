import { decodeAssetCursor, encodeAssetCursor, unknownStartError } from "../domain/asset-cursor.ts";
import type { AddressBytes, MaybePromise } from "../domain/address.ts";
import type { Ordinal } from "../domain/asset.ts";
import type { AssetPlace, AssetPage, AssetQuery, PageStart, SortDirection } from "../domain/search.ts";
import { whenBoth, whenReady } from "../ports/when-ready.ts";

/** The matches that a page reads. */
export interface PageWindow {
  readonly direction: SortDirection;
  /** Number of matches to skip, or the position after which the window starts. */
  readonly from: number | AssetPlace;
  readonly limit: number;
}

/** The matches of one query in a store, an index or a layer. `Row` is what it reads for each match. */
export interface PageReader<Row> {
  count(): MaybePromise<number>;
  /** Fewer than `limit` only where there are no more. */
  read(window: PageWindow): MaybePromise<readonly Row[]>;
  /** Position of an asset, whether it matches or not; null when there is no such asset. */
  findPlace(id: AddressBytes): MaybePromise<AssetPlace | null>;
  ordinalOf(row: Row): Ordinal;
  /** Compares with the places of other rows as the asset does; what it says may be no more than that. */
  placeOf(row: Row): AssetPlace;
  /** The position itself, for a cursor. Absent where `placeOf` gives it. */
  wholePlaceOf?(row: Row): MaybePromise<AssetPlace>;
}

/**
 * The page of a query. Every reader of assets cuts its pages here, so all agree on what a start means, on the cursor,
 * and on whether another page follows. The answer is a promise only where the reader returns one: an index in memory
 * would change while a page of it waits.
 *
 * @throws LamplightError `PARAM__INVALID` for an unknown start or a broken cursor
 */
export const cutPage = <Row>(reader: PageReader<Row>, query: AssetQuery): MaybePromise<AssetPage> => {
  const { start, limit } = query;
  if (start.kind === "page") return cutAt(reader, query, (start.page - 1) * limit);
  if (start.kind === "offset") return cutAt(reader, query, start.offset);
  return whenReady(findStart(reader, query, start), (place) =>
    start.kind === "before" ? cutBefore(reader, query, place) : cutAfter(reader, query, place),
  );
};

const findStart = <Row>(
  reader: PageReader<Row>,
  query: AssetQuery,
  start: Exclude<PageStart, { kind: "page" | "offset" }>,
): MaybePromise<AssetPlace> => {
  if (start.kind === "place") return start.place;
  if (start.kind === "cursor") return decodeAssetCursor(start.cursor, query);
  return whenReady(reader.findPlace(start.id), (place) => {
    if (place === null) throw unknownStartError(start.kind);
    return place;
  });
};

const cutAt = <Row>(reader: PageReader<Row>, query: AssetQuery, offset: number): MaybePromise<AssetPage> => {
  const { direction, limit } = query;
  return whenBoth(reader.count(), reader.read({ direction, from: offset, limit }), (total, rows) =>
    pageOf(reader, query, total, rows, offset + rows.length < total),
  );
};

/** Reads one row more than the page holds, to see whether another page follows. */
const cutAfter = <Row>(
  reader: PageReader<Row>,
  query: AssetQuery,
  place: AssetPlace,
): MaybePromise<AssetPage> => {
  const { direction, limit } = query;
  return whenBoth(reader.count(), reader.read({ direction, from: place, limit: limit + 1 }), (total, rows) =>
    pageOf(reader, query, total, rows.slice(0, limit), rows.length > limit),
  );
};

/** Reads the page in the opposite direction and reverses it. */
const cutBefore = <Row>(
  reader: PageReader<Row>,
  query: AssetQuery,
  place: AssetPlace,
): MaybePromise<AssetPage> => {
  const { direction, limit } = query;
  const opposite = direction === "asc" ? "desc" : "asc";
  const found = reader.read({ direction: opposite, from: place, limit });
  return whenBoth(reader.count(), found, (total, reversed) => {
    const rows = reversed.toReversed();
    const last = rows.at(-1);
    if (last === undefined) return pageOf(reader, query, total, rows, false);
    const next = reader.read({ direction, from: reader.placeOf(last), limit: 1 });
    return whenReady(next, ({ length }) => pageOf(reader, query, total, rows, length > 0));
  });
};

const pageOf = <Row>(
  reader: PageReader<Row>,
  { sort, direction }: AssetQuery,
  total: number,
  rows: readonly Row[],
  hasNext: boolean,
): MaybePromise<AssetPage> => {
  const last = rows.at(-1);
  const ordinals = rows.map((row) => reader.ordinalOf(row));
  if (last === undefined || !hasNext) return { total, ordinals, cursor: null };
  return whenReady(reader.wholePlaceOf?.(last) ?? reader.placeOf(last), (place) => ({
    total,
    ordinals,
    cursor: encodeAssetCursor({ sort, direction, ...place }),
  }));
};
