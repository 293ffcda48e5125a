import {
  type Criterion,
  foldName,
  holdingsNotIndexed,
  needsHoldings,
  type OwnerCriterion,
  type TermReader,
  turns,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import type { Connection } from "../engine/connection.ts";
import { ascending, gatherOrdinals, type OrdinalChunk, parseOrdinals } from "./gather-ordinals.ts";
import { HOLDINGS_PER_READ, listHeld } from "./list-held-ordinals.ts";
import { criterionSql, nameContainsSql } from "./search-criteria.ts";
import { type Prepare, prepareOnce } from "./prepare-once.ts";

/**
 * Ordinals as one text, which saves a hundred bytes per row and most of the time. One text takes some ten
 * milliseconds; other requests get a turn before the next.
 */
const CHUNK_ROWS = 1 << 16;
/** The same of criteria whose index lacks a fact, which is looked up in each row of the table. */
const LOOKED_UP_ROWS = 1 << 13;
const lookedUp: ReadonlySet<Criterion["kind"]> = new Set(["owner", "jsonUri", "inherits"]);

/**
 * The order of rows in the index of a criterion. Chunks are read in that order, because sorting millions of rows by
 * ordinal would cost far more than reading them.
 */
interface IndexOrder {
  readonly columns: readonly string[];
  /** An expression that, next to the ordinals, gives the place of a chunk's last row. */
  readonly rank: string;
  /** The place behind the rows of the last ordinal, where the next chunk starts. */
  readonly placeAfter: (rank: number, ordinal: number) => readonly number[];
}

const SHARES = 1 << 16;
/** A number above every place of a creator or group in its asset. */
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

/** Null for holdings, which have an order of their own (`list-held-ordinals.ts`). */
const orderOf = (criterion: Criterion): IndexOrder | null => {
  switch (criterion.kind) {
    case "owner":
      return criterion.ownerModel === "token" ? null : byOrdinal;
    case "group":
      return byVerified;
    case "creator":
    case "royaltyTarget":
      return byVerifiedAndShare;
    default:
      return byOrdinal;
  }
};

/** One chunk of what follows a place: ordinals as text, their number, the rank of the last. */
export const listOrdinalsSql = (criterion: Criterion): string => {
  const order = orderOf(criterion);
  if (order === null) throw brokenInvariant("holdings are listed by listHeldSql");
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
 * Assets that meet one criterion, by an index, ascending; null when there are more than `limit`. The answer comes at
 * once where one chunk does, else with a turn of the event loop between two chunks.
 *
 * @param chunkRows - rows read as one text
 */
export const prepareListOrdinals = (
  connection: Connection,
  hasHoldings: () => boolean,
  chunkRows = CHUNK_ROWS,
): TermReader["listOrdinals"] => {
  const prepare = prepareOnce(connection);
  return async (criterion, limit) => {
    if (needsHoldings(criterion) && !hasHoldings()) {
      throw holdingsNotIndexed();
    }
    const order = orderOf(criterion);
    if (order === null)
      return listHeld(prepare, criterion as OwnerCriterion, limit, Math.min(chunkRows, HOLDINGS_PER_READ));
    const chunkMax = lookedUp.has(criterion.kind) ? Math.min(chunkRows, LOOKED_UP_ROWS) : chunkRows;
    const rows = Math.min(chunkMax, limit + 1);
    const few = rows > limit ? readFew(prepare, criterion, limit) : undefined;
    return few === undefined ? gatherOrdinals(readChunks(prepare, criterion, order, rows), limit) : few;
  };
};

/** Ordinals in the order of the criterion's index. */
export const listFewSql = (criterion: Criterion): string =>
  `SELECT group_concat(ord), count(*) FROM (SELECT ord FROM ${sourceOf(criterion)} LIMIT ?)`;

/**
 * The most common search: one simple statement. Undefined when not all rows were read, although they are of no more
 * assets than the limit.
 */
const readFew = (prepare: Prepare, criterion: Criterion, limit: number): Uint32Array | null | undefined => {
  const [text, count] = prepare(listFewSql(criterion)).get(...criterionSql(criterion).values, limit + 1)!;
  const rows = parseOrdinals(text as string | null, Number(count));
  const ordinals = ascending(rows);
  if (rows.length <= limit) return ordinals;
  return ordinals.length > limit ? null : undefined;
};

/** The next rows of a list in the order of its index. */
const readChunks = (prepare: Prepare, criterion: Criterion, order: IndexOrder, rows: number) => {
  const statement = prepare(listOrdinalsSql(criterion));
  const { values } = criterionSql(criterion);
  let place: readonly number[] = order.columns.map(() => -1);
  return (): OrdinalChunk => {
    const [text, count, rank] = statement.get(...values, ...place, rows)!;
    const ordinals = parseOrdinals(text as string | null, Number(count));
    if (ordinals.length > 0) place = order.placeAfter(Number(rank), ordinals.at(-1)!);
    return { ordinals, isLast: ordinals.length < rows };
  };
};

const filterByNameSql = `SELECT asset.ord FROM json_each(?) AS asked
CROSS JOIN asset ON asset.ord = asked.value WHERE ${nameContainsSql} ORDER BY asked.key`;

/** Names are read in slices of some milliseconds, with a turn of the event loop between two. */
const NAMES_PER_READ = 4096;

export const prepareFilterByName = (connection: Connection): TermReader["filterByName"] => {
  const statement = connection.prepare(filterByNameSql);
  return async (ordinals, name) => {
    const folded = foldName(name);
    const found: number[] = [];
    for (let from = 0; from < ordinals.length; from += NAMES_PER_READ) {
      if (from > 0 && turns.isUsedUp()) await turns.next();
      const slice = ordinals.subarray(from, from + NAMES_PER_READ);
      for (const [ordinal] of statement.all(`[${slice.join(",")}]`, folded)) found.push(Number(ordinal));
    }
    return Uint32Array.from(found);
  };
};
