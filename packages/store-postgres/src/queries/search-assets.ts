import {
  type AddressBytes,
  type AssetPage,
  type AssetQuery,
  countSql,
  type Criterion,
  cutPage,
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
  return cutPage(
    {
      ...pageRows,
      count: async () => {
        const [counted] = await read(db, countSql(matches));
        return Number(counted?.[0]);
      },
      read: (window) => read(db, pageSql(query.sort, matches, window)),
      findPlace: async (id) => {
        const [row] = await read(db, { sql: placeSql(query.sort), values: [id] });
        return row === undefined ? null : pageRows.placeOf(row);
      },
    },
    query,
  );
};

const partOf = async (db: Statements, query: AssetQuery, criterion: Criterion): Promise<Fragment> => {
  const form = inheritedForm(criterion);
  if (form === null) return criterionSql(criterion);
  const stored = (await read(db, sharersSql(form.shared))).map(([id]) => id as AddressBytes);
  return inheritedSql(form, sharersOf(form, query, stored));
};

const read = (db: Statements, { sql, values }: Fragment): Promise<readonly Row[]> =>
  db.all(passingStatement(numberPlaces(sql)), ...values);
