import {
  type AddressBytes,
  type AssetPage,
  type AssetQuery,
  type Criterion,
  decodeAssetCursor,
  encodeAssetCursor,
  inheritedForm,
  sharersOf,
  type SortKey,
  unknownStartError,
} from "@lamplight/core";
import type { Row, Session, Value } from "../engine/session.ts";
import { passingStatement, statement } from "../engine/statement.ts";
import { assertHoldings } from "./list-ordinals.ts";
import { criterionSql, type Fragment, inheritedSql, numberPlaces, sharersSql } from "./search-criteria.ts";

/** What orders assets; ties by id, which is unique. */
const sortColumns: Readonly<Record<SortKey, readonly string[]>> = {
  id: ["id"],
  created: ["created_slot", "id"],
  updated: ["updated_slot", "id"],
  none: ["ord"],
};

/** The column that a cursor carries beside the id. */
const positionColumn: Readonly<Record<SortKey, string>> = {
  id: "0",
  created: "created_slot",
  updated: "updated_slot",
  none: "ord",
};

/** Where the rows of a page lie. */
interface Window {
  /** Null = from the end that the order starts at. */
  readonly beyond: Fragment | null;
  /** The page that ends here is read backwards and turned round. */
  readonly backwards: boolean;
  readonly offset: number;
}

/** Searches in SQL: exact, and linear in the matches. The index in memory is compared with it. */
export const searchAssets = async (
  session: Session,
  hasHoldings: boolean,
  query: AssetQuery,
): Promise<AssetPage> => {
  for (const criterion of query.criteria) assertHoldings(criterion, hasHoldings);
  const parts = await Promise.all(query.criteria.map((criterion) => partOf(session, query, criterion)));
  const matches = matchSql(query, parts);
  const window = await windowOf(session, query);
  const [[counted], found] = await Promise.all([
    read(session, { ...matches, sql: `SELECT count(*) FROM asset WHERE ${matches.sql}` }),
    // After a seek, one row more than the page holds shows whether another page follows; `total` shows it of a page.
    read(session, pageSql(query, matches, window, query.limit + extraRows(query, window))),
  ]);
  const rows = window.backwards ? found.toReversed() : found.slice(0, query.limit);
  const last = rows.at(-1);
  const total = Number(counted?.[0]);
  const hasNext =
    last !== undefined &&
    (window.backwards
      ? (await read(session, pageSql(query, matches, windowAfter(query, last), 1))).length > 0
      : query.start.kind === "page"
        ? window.offset + rows.length < total
        : found.length > query.limit);
  return {
    total,
    ordinals: rows.map((row) => Number(row[0])),
    cursor: hasNext ? cursorAfter(query, last) : null,
  };
};

const partOf = async (session: Session, query: AssetQuery, criterion: Criterion): Promise<Fragment> => {
  const form = inheritedForm(criterion);
  if (form === null) return criterionSql(criterion);
  const stored = (await read(session, sharersSql(form.shared))).map(([id]) => id as AddressBytes);
  return inheritedSql(form, sharersOf(form, query, stored));
};

const extraRows = (query: AssetQuery, { backwards }: Window): number =>
  backwards || query.start.kind === "page" ? 0 : 1;

const read = (session: Session, { sql, values }: Fragment): Promise<readonly Row[]> =>
  session.all(passingStatement(numberPlaces(sql)), ...values);

/** One boolean group of all criteria; without any, every asset. */
export const matchSql = (
  query: Pick<AssetQuery, "match" | "negate">,
  parts: readonly Fragment[],
): Fragment => {
  const group =
    parts.length === 0
      ? "true"
      : parts.map((part) => part.sql).join(query.match === "all" ? " AND " : " OR ");
  return {
    sql: query.negate ? `NOT (${group})` : `(${group})`,
    values: parts.flatMap((part) => part.values),
  };
};

export const pageSql = (query: AssetQuery, matches: Fragment, window: Window, limit: number): Fragment => {
  const isRising = (query.direction === "asc") !== window.backwards;
  const order = sortColumns[query.sort]
    .map((name) => `asset.${name} ${isRising ? "ASC" : "DESC"}`)
    .join(", ");
  const beyond = window.beyond === null ? "" : ` AND ${window.beyond.sql}`;
  return {
    sql: `SELECT asset.ord, asset.id, ${positionColumn[query.sort]} FROM asset WHERE ${matches.sql}${beyond} ORDER BY ${order} LIMIT ? OFFSET ?`,
    values: [...matches.values, ...(window.beyond?.values ?? []), limit, window.offset],
  };
};

const windowOf = async (session: Session, query: AssetQuery): Promise<Window> => {
  const { start } = query;
  switch (start.kind) {
    case "page":
      return { beyond: null, backwards: false, offset: (start.page - 1) * query.limit };
    case "after":
    case "before": {
      const backwards = start.kind === "before";
      const position = await findPosition(session, start.kind, start.id);
      return { beyond: beyondSql(query, position, backwards), backwards, offset: 0 };
    }
    case "cursor": {
      const { position, id } = decodeAssetCursor(start.cursor, query);
      const all = { ordinal: position, created: position, updated: position, id };
      return { beyond: beyondSql(query, all, false), backwards: false, offset: 0 };
    }
    default:
      return start satisfies never;
  }
};

/** What follows a row of the page. */
const windowAfter = (query: AssetQuery, row: Row): Window => {
  const value = Number(row[2]);
  const position = { ordinal: value, created: value, updated: value, id: row[1] as Uint8Array };
  return { beyond: beyondSql(query, position, false), backwards: false, offset: 0 };
};

/** Sort positions of one asset; only the one of the query's order is looked at. */
interface Position {
  readonly ordinal: number;
  readonly created: number;
  readonly updated: number;
  readonly id: AddressBytes;
}

const beyondSql = (query: AssetQuery, position: Position, backwards: boolean): Fragment => {
  const columns = sortColumns[query.sort].map((name) => `asset.${name}`).join(", ");
  const isRising = (query.direction === "asc") !== backwards;
  const values: Readonly<Record<SortKey, readonly Value[]>> = {
    id: [position.id],
    created: [position.created, position.id],
    updated: [position.updated, position.id],
    none: [position.ordinal],
  };
  const places = values[query.sort].map(() => "?").join(", ");
  return { sql: `(${columns}) ${isRising ? ">" : "<"} (${places})`, values: values[query.sort] };
};

const positionStatement = statement("SELECT ord, created_slot, updated_slot FROM asset WHERE id = $1");

const findPosition = async (
  session: Session,
  parameter: "after" | "before",
  id: AddressBytes,
): Promise<Position> => {
  const row = await session.get(positionStatement, id);
  if (row === undefined) throw unknownStartError(parameter);
  return { ordinal: Number(row[0]), created: Number(row[1]), updated: Number(row[2]), id };
};

const cursorAfter = (query: AssetQuery, last: Row): string =>
  encodeAssetCursor({
    sort: query.sort,
    direction: query.direction,
    position: Number(last[2]),
    id: last[1] as Uint8Array,
  });
