import { type Criterion, foldName, holdingsNotIndexed, needsHoldings } from "@lamplight/core";
import { textToColumn } from "../columns/text-column.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Statements } from "../engine/statements.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { numberPlaces, ordinalsSql } from "./search-criteria.ts";

/** Statements by their text, of which there is one per kind of criterion and its switches. */
const statements = new Map<string, Statement>();

/**
 * Ordinals come in any order. The server does not know the limit when it plans. If the statement named an order, the
 * server would walk the whole table by ordinal instead of reading the index of the criterion.
 */
export const listOrdinalsSql = (criterion: Criterion): string =>
  numberPlaces(
    `SELECT array_agg(ord) FROM (SELECT ord FROM (${ordinalsSql(criterion).sql}) AS meeting LIMIT ?) AS few`,
  );

/** Assets that meet one criterion, ascending; null when there are more than `limit`. */
export const listOrdinals = async (
  db: Statements,
  hasHoldings: boolean,
  criterion: Criterion,
  limit: number,
): Promise<Uint32Array | null> => {
  assertHoldings(criterion, hasHoldings);
  const text = listOrdinalsSql(criterion);
  const known = statements.get(text) ?? statement(text);
  statements.set(text, known);
  const row = await db.get(known, ...ordinalsSql(criterion).values, limit + 1);
  const ordinals = (row?.[0] ?? new Uint32Array(0)) as Uint32Array;
  return ordinals.length > limit ? null : ordinals.toSorted();
};

/** @throws LamplightError `STORE__NOT_COVERED` */
export const assertHoldings = (criterion: Criterion, hasHoldings: boolean): void => {
  if (needsHoldings(criterion) && !hasHoldings) {
    throw holdingsNotIndexed();
  }
};

const filterStatement = statement(`SELECT array_agg(ord) FROM asset
WHERE ord = ANY ($1::bigint[]) AND position($2::bytea IN coalesce(folded_name, name)) > 0`);

export const filterByName = async (
  db: Statements,
  ordinals: Uint32Array,
  name: string,
): Promise<Uint32Array> => {
  if (ordinals.length === 0) return ordinals;
  const asked = arrayParameter("bigint", [...ordinals]);
  const row = await db.get(filterStatement, asked, textToColumn(foldName(name)));
  return ((row?.[0] ?? new Uint32Array(0)) as Uint32Array).toSorted();
};
