import type { Criterion } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { foldName } from "../columns/asset-row.ts";
import type { Connection, Statement } from "../engine/connection.ts";
import { criterionSql, nameContainsSql, needsHoldings } from "./search-criteria.ts";

/** Ordinals that come as one text: a hundred bytes and more per row are saved, and nearly all of the time. */
const CHUNK_ROWS = 1_000_000;

/**
 * One chunk, as text and count. Of a table with several rows per asset the ordinals come as its index has them, with
 * repeats: putting millions in order first would cost far more than the list itself.
 */
export const listOrdinalsSql = (criterion: Criterion, distinct = false): string => {
  const ordinals = isInOrder(criterion)
    ? `SELECT ord FROM ${sourceOf(criterion)} AND ord > ? ORDER BY ord LIMIT ?`
    : `SELECT ${distinct ? "DISTINCT " : ""}ord FROM ${sourceOf(criterion)} LIMIT ?`;
  return `SELECT group_concat(ord), count(*) FROM (${ordinals})`;
};

const sourceOf = (criterion: Criterion): string => {
  const { sql, source } = criterionSql(criterion);
  return source ?? `asset WHERE ${sql}`;
};

/** Rows of `asset` are met in the order of their ordinals, whichever index leads to them, and once. */
const isInOrder = (criterion: Criterion): boolean => sourceOf(criterion).startsWith("asset WHERE ");

/**
 * Assets that meet one criterion, by an index, ascending; null when there are more than `limit`.
 *
 * @param chunkRows - rows read as one text
 */
export const prepareListOrdinals = (
  connection: Connection,
  hasHoldings: () => boolean,
  chunkRows = CHUNK_ROWS,
): ((criterion: Criterion, limit: number) => Uint32Array | null) => {
  const prepare = prepareOnce(connection);
  return (criterion, limit) => {
    if (needsHoldings(criterion) && !hasHoldings()) {
      throw new LamplightError("STORE__NOT_COVERED", { what: "fungible holdings of owners" });
    }
    return isInOrder(criterion)
      ? listInOrder(prepare, criterion, limit, chunkRows)
      : listUnordered(prepare, criterion, limit);
  };
};

type Prepare = (sql: string) => Statement;

/** Values are bound, so there are only as many texts as kinds of criteria and their words. */
const prepareOnce = (connection: Connection): Prepare => {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
};

const listInOrder = (
  prepare: Prepare,
  criterion: Criterion,
  limit: number,
  chunkRows: number,
): Uint32Array | null => {
  const statement = prepare(listOrdinalsSql(criterion));
  const { values } = criterionSql(criterion);
  const chunks: Uint32Array[] = [];
  let length = 0;
  for (let last = -1; ;) {
    const asked = Math.min(chunkRows, limit - length + 1);
    const [text, count] = statement.get(...values, last, asked)!;
    if (count === 0n) break;
    const chunk = parseOrdinals(text as string, Number(count));
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) return null;
    if (chunk.length < asked) break;
    last = chunk.at(-1)!;
  }
  return joined(chunks, length);
};

const listUnordered = (prepare: Prepare, criterion: Criterion, limit: number): Uint32Array | null => {
  const { values } = criterionSql(criterion);
  const read = (distinct: boolean): Uint32Array => {
    const [text, count] = prepare(listOrdinalsSql(criterion, distinct)).get(...values, limit + 1)!;
    return count === 0n ? new Uint32Array(0) : parseOrdinals(text as string, Number(count));
  };
  const rows = read(false);
  const ordinals = distinctOf(rows.toSorted());
  if (rows.length <= limit) return ordinals;
  if (ordinals.length > limit) return null;
  // Cut off at the limit only because some came twice.
  const all = read(true);
  return all.length > limit ? null : all.toSorted();
};

/** Decimal numbers between commas; a loop over characters is several times faster than splitting. */
const parseOrdinals = (text: string, count: number): Uint32Array => {
  const ordinals = new Uint32Array(count);
  const COMMA = 44;
  const ZERO = 48;
  let next = 0;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== COMMA) value = value * 10 + (code - ZERO);
    else {
      ordinals[next++] = value;
      value = 0;
    }
  }
  ordinals[next] = value;
  return ordinals;
};

const distinctOf = (sorted: Uint32Array): Uint32Array =>
  sorted.filter((ordinal, index) => index === 0 || ordinal !== sorted[index - 1]);

const joined = (chunks: readonly Uint32Array[], length: number): Uint32Array => {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint32Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
};

const filterByNameSql = `SELECT asset.ord FROM json_each(?) AS asked
CROSS JOIN asset ON asset.ord = asked.value WHERE ${nameContainsSql} ORDER BY asked.key`;

export const prepareFilterByName = (
  connection: Connection,
): ((ordinals: Uint32Array, name: string) => Uint32Array) => {
  const statement = connection.prepare(filterByNameSql);
  return (ordinals, name) =>
    Uint32Array.from(statement.all(`[${ordinals.join(",")}]`, foldName(name)), (row) => Number(row[0]));
};
