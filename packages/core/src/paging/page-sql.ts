import type { AddressBytes } from "../domain/address.ts";
import type { AssetPlace, AssetQuery, SortKey } from "../domain/search.ts";
import type { PageReader, PageWindow } from "./cut-page.ts";

// The SQL of a page. Both stores read it from their table `asset`.

/** A piece of SQL with a `?` for each value, in order. */
export interface SqlPart<Value> {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** Columns that assets are sorted by. Equal values are sorted by id, which is unique. */
const sortColumns: Readonly<Record<SortKey, readonly string[]>> = {
  id: ["id"],
  created: ["created_slot", "id"],
  updated: ["updated_slot", "id"],
  none: ["ord"],
};

const positionColumn: Readonly<Record<SortKey, string>> = {
  id: "0",
  created: "created_slot",
  updated: "updated_slot",
  none: "ord",
};

/** All criteria as one boolean expression; without criteria every asset matches. */
export const matchSql = <Value>(
  { match, negate }: Pick<AssetQuery, "match" | "negate">,
  parts: readonly SqlPart<Value>[],
): SqlPart<Value> => {
  const group =
    parts.length === 0 ? "true" : parts.map(({ sql }) => sql).join(match === "all" ? " AND " : " OR ");
  return { sql: negate ? `NOT (${group})` : `(${group})`, values: parts.flatMap(({ values }) => values) };
};

export const countSql = <Value>(matches: SqlPart<Value>): SqlPart<Value> => ({
  ...matches,
  sql: `SELECT count(*) FROM asset WHERE ${matches.sql}`,
});

/** Ordinal, id and position of each match in a window. */
export const pageSql = <Value>(
  sort: SortKey,
  matches: SqlPart<Value>,
  { direction, from, limit }: PageWindow,
): SqlPart<Value | number | AddressBytes> => {
  const columns = sortColumns[sort].map((name) => `asset.${name}`);
  const isAscending = direction === "asc";
  const order = columns.map((name) => `${name} ${isAscending ? "ASC" : "DESC"}`).join(", ");
  const isPlace = typeof from !== "number";
  const beyond = isPlace
    ? ` AND (${columns.join(", ")}) ${isAscending ? ">" : "<"} (${columns.map(() => "?").join(", ")})`
    : "";
  return {
    sql: `SELECT asset.ord, asset.id, ${positionColumn[sort]} FROM asset WHERE ${matches.sql}${beyond} ORDER BY ${order} LIMIT ? OFFSET ?`,
    values: [...matches.values, ...(isPlace ? placeValues(sort, from) : []), limit, isPlace ? 0 : from],
  };
};

const placeValues = (sort: SortKey, { position, id }: AssetPlace): readonly (number | AddressBytes)[] =>
  sort === "id" ? [id] : sort === "none" ? [position] : [position, id];

/** Reads the position of an asset by its id. The row has the columns of `pageSql`. */
export const placeSql = (sort: SortKey): string =>
  `SELECT ord, id, ${positionColumn[sort]} FROM asset WHERE id = ?`;

/** Decodes rows of `pageSql` and `placeSql`. */
export const pageRows = {
  ordinalOf: ([ordinal]) => Number(ordinal),
  placeOf: ([, id, position]) => ({ position: Number(position), id: id as AddressBytes }),
} satisfies Pick<PageReader<readonly unknown[]>, "ordinalOf" | "placeOf">;
