import {
  type AddressBytes,
  isNonCirculatingAccount,
  type LargestAccount,
  type LargestQuery,
  nonCirculatingAccounts,
  u64FromColumn,
  u64ToColumn,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { compareBytes, mapKeyOf } from "../columns/keys.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { type Statement, statement } from "../engine/statement.ts";

const order = "ORDER BY lamports DESC, address DESC";
const topAccounts = statement(`SELECT lamports, address FROM top_account ${order} LIMIT $1`);
/**
 * There is no order below the floor of `top_account`. If an answer needs accounts below it, all accounts are read and
 * sorted.
 */
const everyAccount = statement(`SELECT lamports, address FROM account ${order} LIMIT $1`);

/** A stake account in force at the clock ($1 timestamp, $2 epoch as a column). */
const held = "(listed OR lockup_timestamp > $1 OR lockup_epoch > $2)";
const topCirculating = statement(`SELECT lamports, address FROM top_account
WHERE address NOT IN (SELECT address FROM stake_hold WHERE ${held}) ${order} LIMIT $3`);
const everyCirculating = statement(`SELECT lamports, address FROM account
WHERE address NOT IN (SELECT address FROM stake_hold WHERE ${held}) ${order} LIMIT $3`);
const topHeldStakes = statement(`SELECT lamports, address FROM stake_hold WHERE ${held} ${order} LIMIT $3`);
const listedAccounts = statement("SELECT lamports, address FROM account WHERE address = ANY ($1::bytea[])");
const readFloor = statement("SELECT length(floor_address) FROM head WHERE id = 1");

export const listLargestAccounts = async (
  db: Statements,
  query: LargestQuery,
): Promise<readonly LargestAccount[]> => {
  if (query.limit <= 0) return [];
  if (query.filter === "nonCirculating") return listNonCirculating(db, query);
  const top = await list(db, query, topAccounts, topCirculating);
  if (top.length >= query.limit) return top;
  // The writer keeps enough rows above the floor for answers of twenty. Only a larger limit can exceed them.
  const hasFloor = Number((await db.get(readFloor))?.[0]) > 0;
  return hasFloor ? list(db, query, everyAccount, everyCirculating) : top;
};

const list = async (
  db: Statements,
  query: LargestQuery,
  all: Statement,
  circulating: Statement,
): Promise<readonly LargestAccount[]> => {
  if (query.filter === "all") return (await db.all(all, query.limit)).map(largestOf);
  // Twice the requested rows are nearly always enough. All listed accounts on top always are.
  for (const spare of [query.limit, nonCirculatingAccounts.length]) {
    const found = await db.all(circulating, ...clockColumns(query), query.limit + spare);
    const kept = found.filter((row) => !isNonCirculatingAccount(row[1] as AddressBytes));
    if (kept.length >= query.limit) return kept.slice(0, query.limit).map(largestOf);
    if (found.length < query.limit + spare) return kept.map(largestOf);
  }
  throw brokenInvariant("more listed accounts were dropped than are listed");
};

/** The two parts of the set, each by its own index, merged. */
const listNonCirculating = async (
  db: Statements,
  query: LargestQuery,
): Promise<readonly LargestAccount[]> => {
  const [listed, stakes] = await Promise.all([
    db.all(listedAccounts, arrayParameter("bytea", nonCirculatingAccounts)),
    db.all(topHeldStakes, ...clockColumns(query), query.limit),
  ]);
  const found = new Map<string, LargestAccount>();
  for (const row of [...listed, ...stakes]) found.set(mapKeyOf(row[1] as AddressBytes), largestOf(row));
  return [...found.values()].toSorted(byLamportsFalling).slice(0, query.limit);
};

const clockColumns = ({ clock }: LargestQuery): [bigint, bigint] => [
  clock.unixTimestamp,
  u64ToColumn(clock.epoch),
];

const largestOf = (row: Row): LargestAccount => ({
  address: row[1] as AddressBytes,
  lamports: u64FromColumn(row[0] as bigint),
});

const byLamportsFalling = (a: LargestAccount, b: LargestAccount): number =>
  a.lamports === b.lamports ? compareBytes(b.address, a.address) : a.lamports < b.lamports ? 1 : -1;
