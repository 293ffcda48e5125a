import { decodeAssetCursor, encodeAssetCursor, unknownStartError } from "../domain/asset-cursor.ts";
import type { AddressBytes } from "../domain/address.ts";
import type { Ordinal } from "../domain/asset.ts";
import type { AssetPlace, AssetPage, AssetQuery, PageStart, SortDirection } from "../domain/search.ts";
import type { Waits } from "./waits.ts";

/** The matches that a page reads. */
export interface PageWindow {
  readonly direction: SortDirection;
  /** Number of matches to skip, or the position after which the window starts. */
  readonly from: number | AssetPlace;
  readonly limit: number;
}

/**
 * The matches of one query in a store, an index or a layer. `Row` is what it reads for each match, and `Yielded` what it
 * waits for: `never` for a reader in memory.
 */
export interface PageReader<Row, Yielded = never> {
  /** It is asked for after rows were read. */
  count(): Waits<number, Yielded>;
  /** Fewer than `limit` only where there are no more. */
  read(window: PageWindow): Waits<readonly Row[], Yielded>;
  /** Position of an asset, whether it matches or not; null when there is no such asset. */
  findPlace(id: AddressBytes): Waits<AssetPlace | null, Yielded>;
  ordinalOf(row: Row): Ordinal;
  /** Compares with the places of other rows as the asset does; what it says may be no more than that. */
  placeOf(row: Row): AssetPlace;
}

/** A page before its cursor is written. */
export interface CutPage<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
}

/**
 * Cuts the page of a query. Every reader of assets cuts its pages here, so all agree on what a start means, and on whether
 * another page follows. A reader in memory waits for nothing, since it would change while a page of it waits.
 *
 * @throws LamplightError `PARAM__INVALID` for an unknown start or a broken cursor
 */
export function* cutPage<Row, Yielded>(
  reader: PageReader<Row, Yielded>,
  query: AssetQuery,
): Waits<CutPage<Row>, Yielded> {
  const { start, limit } = query;
  if (start.kind === "page") return yield* cutAt(reader, query, (start.page - 1) * limit);
  if (start.kind === "offset") return yield* cutAt(reader, query, start.offset);
  const place = yield* findStart(reader, query, start);
  return yield* start.kind === "before" ? cutBefore(reader, query, place) : cutAfter(reader, query, place);
}

/** @param place - of the last row, for the cursor; default: as the reader has it */
export const pageOf = <Row>(
  { ordinalOf, placeOf }: Pick<PageReader<Row>, "ordinalOf" | "placeOf">,
  { sort, direction }: AssetQuery,
  { total, rows, hasNext }: CutPage<Row>,
  place?: AssetPlace,
): AssetPage => {
  const last = rows.at(-1);
  const cursor =
    last === undefined || !hasNext
      ? null
      : encodeAssetCursor({ sort, direction, ...(place ?? placeOf(last)) });
  return { total, ordinals: rows.map((row) => ordinalOf(row)), cursor };
};

function* findStart<Row, Yielded>(
  reader: PageReader<Row, Yielded>,
  query: AssetQuery,
  start: Exclude<PageStart, { kind: "page" | "offset" }>,
): Waits<AssetPlace, Yielded> {
  if (start.kind === "place") return start.place;
  if (start.kind === "cursor") return decodeAssetCursor(start.cursor, query);
  const place = yield* reader.findPlace(start.id);
  if (place === null) throw unknownStartError(start.kind);
  return place;
}

function* cutAt<Row, Yielded>(
  reader: PageReader<Row, Yielded>,
  { direction, limit }: AssetQuery,
  offset: number,
): Waits<CutPage<Row>, Yielded> {
  const rows = yield* reader.read({ direction, from: offset, limit });
  const total = yield* reader.count();
  return { total, rows, hasNext: offset + rows.length < total };
}

/** Reads one row more than the page holds, to see whether another page follows. */
function* cutAfter<Row, Yielded>(
  reader: PageReader<Row, Yielded>,
  { direction, limit }: AssetQuery,
  place: AssetPlace,
): Waits<CutPage<Row>, Yielded> {
  const rows = yield* reader.read({ direction, from: place, limit: limit + 1 });
  const total = yield* reader.count();
  return { total, rows: rows.slice(0, limit), hasNext: rows.length > limit };
}

/** Reads the page in the opposite direction and reverses it. */
function* cutBefore<Row, Yielded>(
  reader: PageReader<Row, Yielded>,
  { direction, limit }: AssetQuery,
  place: AssetPlace,
): Waits<CutPage<Row>, Yielded> {
  const opposite = direction === "asc" ? "desc" : "asc";
  const rows = (yield* reader.read({ direction: opposite, from: place, limit })).toReversed();
  const total = yield* reader.count();
  const last = rows.at(-1);
  if (last === undefined) return { total, rows, hasNext: false };
  const next = yield* reader.read({ direction, from: reader.placeOf(last), limit: 1 });
  return { total, rows, hasNext: next.length > 0 };
}
