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
import { LamplightError } from "@lamplight/errors";
import type { SQLInputValue } from "node:sqlite";
import type { Connection, Row, Statement } from "../engine/connection.ts";
import { criterionSql, type Fragment, inheritedSql, needsHoldings, sharersSql } from "./search-criteria.ts";

/** Prepared searches kept per connection; the oldest makes room. */
const SEARCH_STATEMENTS_MAX = 64;

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
export const prepareSearchAssets = (
  connection: Connection,
  hasHoldings: () => boolean,
): ((query: AssetQuery) => AssetPage) => {
  const prepare = keepStatements(connection);
  const findPosition = preparePosition(connection);
  const partOf =
    (query: AssetQuery) =>
    (criterion: Criterion): Fragment => {
      const form = inheritedForm(criterion);
      if (form === null) return criterionSql(criterion);
      const { sql, values } = sharersSql(form.shared);
      const stored = prepare(sql)
        .all(...values)
        .map(([id]) => id as AddressBytes);
      return inheritedSql(form, sharersOf(form, query, stored));
    };
  return (query) => {
    if (query.criteria.some(needsHoldings) && !hasHoldings()) {
      throw new LamplightError("STORE__NOT_COVERED", { what: "fungible holdings of owners" });
    }
    const matches = matchSql(query, partOf(query));
    const window = windowOf(query, findPosition);
    const total = Number(
      prepare(`SELECT count(*) FROM asset WHERE ${matches.sql}`).get(...matches.values)?.[0],
    );
    const read = (part: Window, limit: number): readonly Row[] => {
      const page = pageSql(query, matches, part, limit);
      return prepare(page.sql).all(...page.values);
    };
    // After a seek, one row more than the page holds shows whether another page follows; `total` shows it of a page.
    const found = read(window, query.limit + extraRows(query, window));
    const rows = window.backwards ? found.toReversed() : found.slice(0, query.limit);
    const last = rows.at(-1);
    const hasNext =
      last !== undefined &&
      (window.backwards
        ? read(windowAfter(query, last), 1).length > 0
        : query.start.kind === "page"
          ? window.offset + rows.length < total
          : found.length > query.limit);
    return {
      total,
      ordinals: rows.map((row) => Number(row[0])),
      cursor: hasNext ? cursorAfter(query, last) : null,
    };
  };
};

const extraRows = (query: AssetQuery, { backwards }: Window): number =>
  backwards || query.start.kind === "page" ? 0 : 1;

/** One boolean group of all criteria; without any, every asset. */
const matchSql = (
  query: Pick<AssetQuery, "criteria" | "match" | "negate">,
  partOf: (criterion: Criterion) => Fragment,
): Fragment => {
  const parts = query.criteria.map(partOf);
  const group =
    parts.length === 0 ? "1" : parts.map((part) => part.sql).join(query.match === "all" ? " AND " : " OR ");
  return {
    sql: query.negate ? `NOT (${group})` : `(${group})`,
    values: parts.flatMap((part) => part.values),
  };
};

const pageSql = (query: AssetQuery, matches: Fragment, window: Window, limit: number): Fragment => {
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

type FindPosition = (parameter: "after" | "before", id: AddressBytes) => Position;

const windowOf = (query: AssetQuery, findPosition: FindPosition): Window => {
  const { start } = query;
  switch (start.kind) {
    case "page":
      return { beyond: null, backwards: false, offset: (start.page - 1) * query.limit };
    case "after":
    case "before": {
      const backwards = start.kind === "before";
      return {
        beyond: beyondSql(query, findPosition(start.kind, start.id), backwards),
        backwards,
        offset: 0,
      };
    }
    case "cursor": {
      const cursor = decodeAssetCursor(start.cursor, query);
      const position = {
        ordinal: cursor.position,
        created: cursor.position,
        updated: cursor.position,
        id: cursor.id,
      };
      return { beyond: beyondSql(query, position, false), backwards: false, offset: 0 };
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
  const values: Readonly<Record<SortKey, readonly SQLInputValue[]>> = {
    id: [position.id],
    created: [position.created, position.id],
    updated: [position.updated, position.id],
    none: [position.ordinal],
  };
  const places = values[query.sort].map(() => "?").join(", ");
  return { sql: `(${columns}) ${isRising ? ">" : "<"} (${places})`, values: values[query.sort] };
};

const preparePosition = (connection: Connection): FindPosition => {
  const statement = connection.prepare("SELECT ord, created_slot, updated_slot FROM asset WHERE id = ?");
  return (parameter, id) => {
    const row = statement.get(id);
    if (row === undefined) throw unknownStartError(parameter);
    return { ordinal: Number(row[0]), created: Number(row[1]), updated: Number(row[2]), id };
  };
};

const cursorAfter = (query: AssetQuery, last: Row): string =>
  encodeAssetCursor({
    sort: query.sort,
    direction: query.direction,
    position: Number(last[2]),
    id: last[1] as Uint8Array,
  });

const keepStatements = (connection: Connection): ((sql: string) => Statement) => {
  const kept = new Map<string, Statement>();
  return (sql) => {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    if (kept.size >= SEARCH_STATEMENTS_MAX) kept.delete(kept.keys().next().value as string);
    const statement = connection.prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
};
