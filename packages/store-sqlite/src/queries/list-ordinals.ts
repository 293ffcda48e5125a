import { setImmediate } from "node:timers/promises";
import type { Criterion, MaybePromise } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { foldName } from "../columns/asset-row.ts";
import type { Connection, Statement } from "../engine/connection.ts";
import { criterionSql, nameContainsSql, needsHoldings } from "./search-criteria.ts";

/**
 * Ordinals that come as one text: a hundred bytes and more per row are saved, and nearly all of the time. Read in some
 * ten milliseconds; whoever else waits has a turn before the next.
 */
const CHUNK_ROWS = 1 << 16;

/**
 * The order in which the index of a criterion has its rows: chunks are asked for in that order, whatever it means for
 * ordinals, since sorting millions would cost far more than the list itself.
 */
interface IndexOrder {
  readonly columns: readonly string[];
  /** What of a chunk's rows, beside their ordinals, tells where its last one stands. */
  readonly rank: string;
  /** Where to go on behind the rows of the last ordinal. */
  readonly placeAfter: (rank: number, ordinal: number) => readonly number[];
}

const SHARES = 1 << 16;
/** Above every place of a creator or group in its asset. */
const POSITION_MAX = 2 ** 31;

const byOrdinal: IndexOrder = { columns: ["ord"], rank: "0", placeAfter: (_, ordinal) => [ordinal] };

const byVerified: IndexOrder = {
  columns: ["verified", "ord", "position"],
  rank: "max(verified)",
  placeAfter: (verified, ordinal) => [verified, ordinal, POSITION_MAX],
};

const byVerifiedAndShare: IndexOrder = {
  columns: ["verified", "share", "ord", "position"],
  rank: `max(verified * ${SHARES} + share)`,
  placeAfter: (rank, ordinal) => [Math.floor(rank / SHARES), rank % SHARES, ordinal, POSITION_MAX],
};

/** Null for holdings, which are read at once and bounded by whoever asks. */
const orderOf = (criterion: Criterion): IndexOrder | null => {
  const source = sourceOf(criterion);
  if (source.startsWith("asset WHERE ") || source.startsWith("asset_creator WHERE verified "))
    return byOrdinal;
  if (source.startsWith("asset_group ")) return byVerified;
  return source.startsWith("asset_creator ") ? byVerifiedAndShare : null;
};

/** One chunk of what follows a place: ordinals as text, their number, the rank of the last. */
export const listOrdinalsSql = (criterion: Criterion): string => {
  const order = orderOf(criterion);
  if (order === null)
    return `SELECT group_concat(ord), count(*), 0 FROM (SELECT DISTINCT ord FROM ${sourceOf(criterion)} LIMIT ?)`;
  const names = order.columns.join(", ");
  const marks = order.columns.map(() => "?").join(", ");
  return `SELECT group_concat(ord), count(*), ${order.rank} FROM (
SELECT ${names} FROM ${sourceOf(criterion)} AND (${names}) > (${marks}) ORDER BY ${names} LIMIT ?)`;
};

const sourceOf = (criterion: Criterion): string => {
  const { sql, source } = criterionSql(criterion);
  return source ?? `asset WHERE ${sql}`;
};

/**
 * Assets that meet one criterion, by an index, ascending; null when there are more than `limit`. At once where one chunk
 * does, else with a turn of the event loop between two.
 *
 * @param chunkRows - rows read as one text
 */
export const prepareListOrdinals = (
  connection: Connection,
  hasHoldings: () => boolean,
  chunkRows = CHUNK_ROWS,
): ((criterion: Criterion, limit: number) => MaybePromise<Uint32Array | null>) => {
  const prepare = prepareOnce(connection);
  return (criterion, limit) => {
    if (needsHoldings(criterion) && !hasHoldings()) {
      throw new LamplightError("STORE__NOT_COVERED", { what: "fungible holdings of owners" });
    }
    const rows = orderOf(criterion) === null ? limit + 1 : Math.min(chunkRows, limit + 1);
    const few = rows > limit ? readFew(prepare, criterion, limit) : undefined;
    return few === undefined ? gather(readChunks(prepare, criterion), limit, rows) : few;
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

/** As its index has them. */
export const listFewSql = (criterion: Criterion): string =>
  `SELECT group_concat(ord), count(*) FROM (SELECT ord FROM ${sourceOf(criterion)} LIMIT ?)`;

/**
 * What nearly every search asks: one statement as plain as can be. Undefined when so many rows are not all, and yet of no
 * more assets than the limit.
 */
const readFew = (prepare: Prepare, criterion: Criterion, limit: number): Uint32Array | null | undefined => {
  const [text, count] = prepare(listFewSql(criterion)).get(...criterionSql(criterion).values, limit + 1)!;
  const rows = count === 0n ? new Uint32Array(0) : parseOrdinals(text as string, Number(count));
  const ordinals = ascending(rows);
  if (rows.length <= limit) return ordinals;
  return ordinals.length > limit ? null : undefined;
};

/** The next rows of a list, in its own order, with repeats; fewer than asked for at its end. */
type ReadChunk = (rows: number) => Uint32Array;

const readChunks = (prepare: Prepare, criterion: Criterion): ReadChunk => {
  const statement = prepare(listOrdinalsSql(criterion));
  const { values } = criterionSql(criterion);
  const order = orderOf(criterion);
  let place: readonly number[] = order === null ? [] : order.columns.map(() => -1);
  return (rows) => {
    const [text, count, rank] = statement.get(...values, ...place, rows)!;
    if (count === 0n) return new Uint32Array(0);
    const chunk = parseOrdinals(text as string, Number(count));
    if (order !== null) place = order.placeAfter(Number(rank), chunk.at(-1)!);
    return chunk;
  };
};

const gather = (read: ReadChunk, limit: number, rows: number): MaybePromise<Uint32Array | null> => {
  const chunks: Uint32Array[] = [];
  let length = 0;
  /** Undefined = there is more to read. */
  const next = (): Uint32Array | null | undefined => {
    const chunk = read(rows);
    chunks.push(chunk);
    length += chunk.length;
    const isEnd = chunk.length < rows;
    if (!isEnd && length <= limit) return undefined;
    const ordinals = ascending(joined(chunks, length));
    if (ordinals.length > limit) return null;
    return isEnd ? ordinals : undefined;
  };
  const first = next();
  return first === undefined ? gatherRest(next) : first;
};

const gatherRest = async (next: () => Uint32Array | null | undefined): Promise<Uint32Array | null> => {
  for (;;) {
    await setImmediate();
    const found = next();
    if (found !== undefined) return found;
  }
};

/** In order and without repeats; mostly they are. */
const ascending = (ordinals: Uint32Array): Uint32Array => {
  for (let index = 1; index < ordinals.length; index++)
    if (ordinals[index]! <= ordinals[index - 1]!) return distinctOf(ordinals.toSorted());
  return ordinals;
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
