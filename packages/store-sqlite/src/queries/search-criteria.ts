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
import type { SQLInputValue } from "node:sqlite";
import { columnForms } from "../columns/asset-row.ts";

/** A piece of SQL and the values of its placeholders, in order. */
export interface Fragment {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
  /** Tables and condition that give the ordinals themselves, with the same values; absent = ask row by row. */
  readonly source?: string;
}

/** Ids of the collections whose own facts meet a criterion. */
export const sharersSql = (shared: Criterion): Fragment => {
  const { sql, values } = criterionSql(shared);
  // The plus keeps the planner from reading the index of that column.
  return {
    sql: `SELECT id FROM asset WHERE ${sql} AND +interface = ${interfaceNumber(sharingInterface)}`,
    values,
  };
};

/** A criterion on a fact that may be inherited. */
export const inheritedSql = (form: InheritedForm, sharers: readonly AddressBytes[]): Fragment => {
  const own = criterionSql(form.own);
  const from = JSON.stringify(sharers.map((id) => Buffer.from(id).toString("hex")));
  const sql = `(${own.sql} OR asset.ord IN (SELECT inheriting.ord FROM json_each(?) AS sharer
CROSS JOIN asset AS inheriting ON inheriting.inherits_from = unhex(sharer.value) WHERE inheriting.inherits & ? <> 0))`;
  return { sql: form.negate ? `NOT ${sql}` : sql, values: [...own.values, from, form.fact] };
};

/**
 * A condition on a row of `asset`, by its own facts, that is always true or false, never null, so that NOT of it is its complement:
 * columns that may be null are asked through a set of ordinals, which also reads their partial indexes.
 */
export const criterionSql = (criterion: Criterion): Fragment => {
  if (isFactCriterion(criterion)) return factSql(criterion);
  if (isListCriterion(criterion)) return listSql(criterion);
  switch (criterion.kind) {
    case "owner":
      return ownerSql(criterion);
    case "tokenType":
      return tokenTypeSql(criterion.tokenType);
    case "name":
      return fragment(nameContainsSql, foldName(criterion.name));
    case "inherits":
      return among("asset WHERE inherits_from = ? AND inherits & ? <> 0", criterion.from, criterion.fact);
    case "nothing":
      return nothing;
    default:
      return criterion satisfies never;
  }
};

export const nameContainsSql = "instr(ifnull(asset.folded_name, asset.name), ?) > 0";

const fragment = (sql: string, ...values: SQLInputValue[]): Fragment => ({ sql, values });

const nothing = fragment("0");

const factSql = (criterion: FactCriterion): Fragment => {
  const { name, isNullable } = factColumnOf(criterion);
  const cell = factCellOf(criterion, columnForms);
  if (cell === null) return nothing;
  if (criterion.kind === "jsonUri")
    return fragment("(asset.json_uri_hash = ? AND asset.json_uri = ?)", jsonUriHash(criterion.value), cell);
  return isNullable ? among(`asset WHERE ${name} = ?`, cell) : fragment(`asset.${name} = ?`, cell);
};

const among = (source: string, ...values: SQLInputValue[]): Fragment => ({
  sql: `asset.ord IN (SELECT ord FROM ${source})`,
  values,
  source,
});

const ownerSql = (criterion: OwnerCriterion): Fragment => {
  // A wallet that once held an NFT may keep its empty token account: only assets of many holders are found by holding.
  // The plus keeps the planner from starting at that column, which half of all assets share.
  const single = among(
    `asset WHERE owner = ? AND +owner_model = ${ownerModelNumber("single")}`,
    criterion.owner,
  );
  const token = among(heldAssets(criterion), criterion.owner);
  if (criterion.ownerModel === "single") return single;
  if (criterion.ownerModel === "token") return token;
  return fragment(`(${single.sql} OR ${token.sql})`, ...single.values, ...token.values);
};

/** Assets of many holders that one of them holds; the placeholder is the holder. */
export const heldAssets = ({ includeZero }: { readonly includeZero: boolean }): string =>
  `holding JOIN asset AS held ON held.supply_mint = holding.mint
WHERE +held.owner_model = ${ownerModelNumber("token")} AND holding.token_owner = ?${
    includeZero ? "" : " AND holding.positive = 1"
  }`;

const listSql = (criterion: ListCriterion): Fragment => {
  const { table, conditions } = askedRows(criterion, columnForms);
  return among(
    `${table} WHERE ${conditions.map(({ column, sign }) => `${column} ${sign} ?`).join(" AND ")}`,
    ...conditions.map(({ cell }) => cell),
  );
};

const fungibleSql = `asset.interface IN (${fungibleInterfaces.map(interfaceNumber).join(", ")})`;

const tokenTypeSql = (tokenType: TokenType): Fragment => {
  const { fungible, compressed } = tokenTypes[tokenType];
  const conditions = [
    ...(fungible === null ? [] : [fungible ? fungibleSql : `NOT (${fungibleSql})`]),
    ...(compressed === null ? [] : [`asset.compressed = ${Number(compressed)}`]),
  ];
  return fragment(conditions.length === 0 ? "1" : `(${conditions.join(" AND ")})`);
};
