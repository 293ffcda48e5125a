import {
  type AddressBytes,
  askedRows,
  type Criterion,
  factCellOf,
  factColumnOf,
  type FactCriterion,
  foldName,
  fungibleInterfaces,
  type InheritedForm,
  interfaceNumber,
  isFactCriterion,
  isListCriterion,
  jsonUriHash,
  type ListCriterion,
  type OwnerCriterion,
  ownerModelNumber,
  sharingInterface,
  type TokenType,
  tokenTypes,
} from "@lamplight/core";
import { columnForms } from "../columns/asset-row.ts";
import { textToColumn } from "../columns/text-column.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Value } from "../engine/statements.ts";

/** A piece of SQL with a `?` for each value, in order; `numberPlaces` makes it what the server reads. */
export interface Fragment {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** No text of ours holds a question mark but the places. */
export const numberPlaces = (sql: string): string => {
  let place = 0;
  return sql.replaceAll("?", () => `$${(place += 1)}`);
};

/**
 * A condition on a row of `asset`, by its own facts, that is always true or false, never null, so that NOT of it is its complement.
 * Other tables are asked through sets that do not depend on the row.
 */
export const criterionSql = (criterion: Criterion): Fragment => {
  if (isFactCriterion(criterion)) return factSql(criterion);
  if (isListCriterion(criterion)) {
    const list = listSource(criterion);
    return { ...list, sql: `asset.id IN (SELECT id FROM ${list.sql})` };
  }
  switch (criterion.kind) {
    case "owner":
      return ownerSql(criterion);
    case "tokenType":
      return tokenTypeSql(criterion.tokenType);
    case "name":
      return fragment(`${nameHolds} > 0`, textToColumn(foldName(criterion.name)));
    case "inherits":
      return fragment(
        "(asset.inherits_from IS NOT NULL AND asset.inherits_from = ? AND asset.inherits & ? <> 0)",
        criterion.from,
        criterion.fact,
      );
    case "nothing":
      return nothing;
    default:
      return criterion satisfies never;
  }
};

/** Ids of the collections whose own facts meet a criterion. */
export const sharersSql = (shared: Criterion): Fragment => {
  const { sql, values } = criterionSql(shared);
  // The sum keeps the planner from reading the index of that column.
  return {
    sql: `SELECT id FROM asset WHERE ${sql} AND asset.interface + 0 = ${interfaceNumber(sharingInterface)}`,
    values,
  };
};

/** A criterion on a fact that may be inherited. */
export const inheritedSql = (form: InheritedForm, sharers: readonly AddressBytes[]): Fragment => {
  const own = criterionSql(form.own);
  const sql = `(${own.sql} OR (asset.inherits_from IS NOT NULL AND asset.inherits_from = ANY (?::bytea[])
AND asset.inherits & ? <> 0))`;
  return {
    sql: form.negate ? `NOT ${sql}` : sql,
    values: [...own.values, arrayParameter("bytea", sharers), form.fact],
  };
};

/** The position of the bytes in the name, 0 = nowhere. */
const nameHolds = "position(?::bytea IN coalesce(asset.folded_name, asset.name))";

/** Selects of ordinals whose union are the assets that meet the criterion, each by an index. */
export const ordinalsSql = (criterion: Criterion): Fragment => {
  if (isListCriterion(criterion)) {
    const list = listSource(criterion);
    return { ...list, sql: `SELECT DISTINCT ord FROM ${list.sql}` };
  }
  const parts = criterion.kind === "owner" ? ownerParts(criterion) : [criterionSql(criterion)];
  return {
    sql: parts.map(({ sql }) => `SELECT ord FROM asset WHERE ${sql}`).join(" UNION "),
    values: parts.flatMap(({ values }) => values),
  };
};

const fragment = (sql: string, ...values: Value[]): Fragment => ({ sql, values });

const nothing = fragment("false");

const factSql = (criterion: FactCriterion): Fragment => {
  const { name, isNullable } = factColumnOf(criterion);
  const cell = factCellOf(criterion, columnForms);
  if (cell === null) return nothing;
  if (criterion.kind === "jsonUri")
    return fragment("(asset.json_uri_hash = ? AND asset.json_uri = ?)", jsonUriHash(criterion.value), cell);
  if (isNullable) return fragment(`(asset.${name} IS NOT NULL AND asset.${name} = ?)`, cell);
  return cellTest(`asset.${name} =`, cell);
};

const ownerSql = (criterion: OwnerCriterion): Fragment => {
  const parts = ownerParts(criterion);
  return {
    sql: `(${parts.map(({ sql }) => sql).join(" OR ")})`,
    values: parts.flatMap(({ values }) => values),
  };
};

/**
 * A wallet that once held an NFT may keep its empty token account: only assets of many holders are found by holding.
 * The sum keeps the planner from reading the index of that column, which half of all assets share; the array, from
 * beginning with the assets.
 */
const ownerParts = ({ owner, ownerModel, includeZero }: OwnerCriterion): readonly Fragment[] => {
  const single = fragment(
    `(asset.owner IS NOT NULL AND asset.owner = ? AND asset.owner_model + 0 = ${ownerModelNumber("single")})`,
    owner,
  );
  const token = fragment(
    `(asset.owner_model + 0 = ${ownerModelNumber("token")} AND asset.supply_mint IS NOT NULL
AND asset.supply_mint = ANY (ARRAY(SELECT mint FROM holding WHERE token_owner = ?${includeZero ? "" : " AND positive"})))`,
    owner,
  );
  if (ownerModel === null) return [single, token];
  return ownerModel === "single" ? [single] : [token];
};

/** Rows of creators or groups that make their asset meet the criterion. */
const listSource = (criterion: ListCriterion): Fragment => {
  const { table, conditions } = askedRows(criterion, columnForms);
  const tests = conditions.map(({ column, sign, cell }) => cellTest(`${column} ${sign}`, cell));
  return {
    sql: `${table} WHERE ${tests.map(({ sql }) => sql).join(" AND ")}`,
    values: tests.flatMap(({ values }) => values),
  };
};

/** The planner must see a flag: nearly all rows share one. */
const cellTest = (column: string, cell: Value): Fragment =>
  typeof cell === "boolean" ? fragment(`${column} ${cell}`) : fragment(`${column} ?`, cell);

const fungibleSql = `asset.interface IN (${fungibleInterfaces.map(interfaceNumber).join(", ")})`;

const tokenTypeSql = (tokenType: TokenType): Fragment => {
  const { fungible, compressed } = tokenTypes[tokenType];
  const conditions = [
    ...(fungible === null ? [] : [fungible ? fungibleSql : `NOT (${fungibleSql})`]),
    ...(compressed === null ? [] : [`asset.compressed = ${compressed}`]),
  ];
  return fragment(conditions.length === 0 ? "true" : `(${conditions.join(" AND ")})`);
};
