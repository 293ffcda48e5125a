import {
  type AddressBytes,
  type AssetPage,
  type AssetQuery,
  countSql,
  type Criterion,
  cutPage,
  atOnce,
  pageOf,
  resultOf,
  holdingsNotIndexed,
  inheritedForm,
  matchSql,
  type PageReader,
  pageRows,
  pageSql,
  placeSql,
  sharersOf,
  needsHoldings,
} from "@lamplight/core";
import type { Connection, Row, Statement } from "../engine/connection.ts";
import { criterionSql, type Fragment, inheritedSql, sharersSql } from "./search-criteria.ts";

/** Prepared searches kept per connection; the oldest makes room. */
const SEARCH_STATEMENTS_MAX = 64;

/** Searches in SQL: exact, and linear in the matches. The index in memory is compared with it. */
export const prepareSearchAssets = (
  connection: Connection,
  hasHoldings: () => boolean,
): ((query: AssetQuery) => AssetPage) => {
  const prepare = keepStatements(connection);
  const partOf = (query: AssetQuery, criterion: Criterion): Fragment => {
    const form = inheritedForm(criterion);
    if (form === null) return criterionSql(criterion);
    const { sql, values } = sharersSql(form.shared);
    const stored = prepare(sql)
      .all(...values)
      .map(([id]) => id as AddressBytes);
    return inheritedSql(form, sharersOf(form, query, stored));
  };
  return (query) => {
    if (query.criteria.some(needsHoldings) && !hasHoldings()) throw holdingsNotIndexed();
    const parts = query.criteria.map((criterion) => partOf(query, criterion));
    const matches = matchSql(query, parts);
    const count = countSql(matches);
    const place = placeSql(query.sort);
    const reader: PageReader<Row> = {
      ...pageRows,
      count: () => atOnce(Number(prepare(count.sql).get(...count.values)?.[0])),
      read: (window) => {
        const { sql, values } = pageSql(query.sort, matches, window);
        return atOnce(prepare(sql).all(...values));
      },
      findPlace: (id) => {
        const row = prepare(place).get(id);
        return atOnce(row === undefined ? null : pageRows.placeOf(row));
      },
    };
    return pageOf(pageRows, query, resultOf(cutPage(reader, query)));
  };
};

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
