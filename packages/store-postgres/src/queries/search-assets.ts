import {
  type AddressBytes,
  type AssetPage,
  type AssetQuery,
  countSql,
  type Criterion,
  cutPage,
  pageOf,
  type PageReader,
  waitFor,
  waitForResult,
  inheritedForm,
  matchSql,
  pageRows,
  pageSql,
  placeSql,
  sharersOf,
} from "@lamplight/core";
import type { Row, Statements } from "../engine/statements.ts";
import { passingStatement } from "../engine/statement.ts";
import { assertHoldings } from "./list-ordinals.ts";
import { criterionSql, type Fragment, inheritedSql, numberPlaces, sharersSql } from "./search-criteria.ts";

/** Searches in SQL: exact, and linear in the matches. The index in memory is compared with it. */
export const searchAssets = async (
  db: Statements,
  hasHoldings: boolean,
  query: AssetQuery,
): Promise<AssetPage> => {
  for (const criterion of query.criteria) assertHoldings(criterion, hasHoldings);
  const parts = await Promise.all(query.criteria.map((criterion) => partOf(db, query, criterion)));
  const matches = matchSql(query, parts);
  let counted: Promise<readonly Row[]> | null = null;
  const readCount = (): Promise<readonly Row[]> => (counted ??= read(db, countSql(matches)));
  const reader: PageReader<Row, Promise<unknown>> = {
    ...pageRows,
    *count() {
      const [row] = yield* waitFor(readCount());
      return Number(row?.[0]);
    },
    *read(window) {
      // Both are sent before either is waited for.
      const rows = read(db, pageSql(query.sort, matches, window));
      return (yield* waitFor(Promise.all([rows, readCount()])))[0];
    },
    *findPlace(id) {
      const [row] = yield* waitFor(read(db, { sql: placeSql(query.sort), values: [id] }));
      return row === undefined ? null : pageRows.placeOf(row);
    },
  };
  return pageOf(pageRows, query, await waitForResult(cutPage(reader, query)));
};

const partOf = async (db: Statements, query: AssetQuery, criterion: Criterion): Promise<Fragment> => {
  const form = inheritedForm(criterion);
  if (form === null) return criterionSql(criterion);
  const stored = (await read(db, sharersSql(form.shared))).map(([id]) => id as AddressBytes);
  return inheritedSql(form, sharersOf(form, query, stored));
};

const read = (db: Statements, { sql, values }: Fragment): Promise<readonly Row[]> =>
  db.all(passingStatement(numberPlaces(sql)), ...values);
