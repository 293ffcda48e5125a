import {
  type AddressBytes,
  isNonCirculatingAt,
  isNonCirculatingAccount,
  type LargestAccount,
  type LargestQuery,
  nonCirculatingAccounts,
  u64FromColumn,
  u64ToColumn,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { addressOfKey, compareBytes, mapKeyOf, prefixOf } from "../columns/account-key.ts";
import type { Connection, Row, Statement } from "../engine/connection.ts";

export const topAccountsSql =
  "SELECT lamports, address FROM top_account ORDER BY lamports DESC, address DESC";

/** A stake account in force at the clock (?1 timestamp, ?2 epoch as a column). */
const held = "(listed OR lockup_timestamp > ?1 OR lockup_epoch > ?2)";

export const topCirculatingSql = `SELECT lamports, address FROM top_account AS top
WHERE NOT EXISTS (SELECT 1 FROM stake_hold WHERE stake_hold.address = top.address AND ${held})
ORDER BY lamports DESC, address DESC LIMIT ?3`;

export const topNonCirculatingStakesSql = `SELECT lamports, address FROM stake_hold
WHERE ${held} ORDER BY lamports DESC, address DESC LIMIT ?3`;

/** The listed accounts that exist, in one statement. Prefixes are our own constants. */
export const listedAccountsSql = `SELECT id, tail, lamports FROM account WHERE id IN (${nonCirculatingAccounts
  .map(prefixOf)
  .join(", ")})`;

const listedCollisionsSql = "SELECT id, tail, lamports FROM account_collision WHERE id = ?";

/**
 * There is no order below the floor of `top_account`. If an answer needs accounts below it, all accounts are read and
 * sorted.
 */
const everyAccountSql = `SELECT lamports, id, tail FROM account
UNION ALL SELECT lamports, id, tail FROM account_collision`;

export const prepareListLargestAccounts = (
  connection: Connection,
): ((query: LargestQuery) => readonly LargestAccount[]) => {
  const top = connection.prepare(`${topAccountsSql} LIMIT ?`);
  const circulating = connection.prepare(topCirculatingSql);
  const listNonCirculating = prepareListNonCirculating(connection);
  const hasFloor = connection.prepare("SELECT length(floor_address) FROM head WHERE id = 1");
  const scan = prepareScan(connection);
  return (query) => {
    if (query.limit <= 0) return [];
    if (query.filter === "nonCirculating") return listNonCirculating(query);
    const rows = query.filter === "all" ? top.all(query.limit) : listCirculating(circulating, query);
    // The writer keeps enough rows above the floor for answers of twenty. Only a larger limit can exceed them.
    if (rows.length < query.limit && Number(hasFloor.get()?.[0]) > 0) return scan(query);
    return rows.map(largestOf);
  };
};

const clockColumns = (query: LargestQuery): [bigint, bigint] => [
  query.clock.unixTimestamp,
  u64ToColumn(query.clock.epoch),
];

const largestOf = (row: Row): LargestAccount => ({
  address: row[1] as Uint8Array,
  lamports: u64FromColumn(row[0] as bigint),
});

/** A few spare rows are nearly always enough. The number of listed accounts is always enough. */
const listCirculating = (statement: Statement, query: LargestQuery): readonly Row[] => {
  for (const spare of [2, query.limit, nonCirculatingAccounts.length]) {
    const found = statement.all(...clockColumns(query), query.limit + spare);
    const kept = found.filter((row) => !isNonCirculatingAccount(row[1] as Uint8Array));
    if (kept.length >= query.limit) return kept.slice(0, query.limit);
    if (found.length < query.limit + spare) return kept;
  }
  throw brokenInvariant("more listed accounts were dropped than are listed");
};

/** The two parts of the set, each by its own index, merged. */
const prepareListNonCirculating = (
  connection: Connection,
): ((query: LargestQuery) => readonly LargestAccount[]) => {
  const heldStakes = connection.prepare(topNonCirculatingStakesSql);
  const listed = connection.prepare(listedAccountsSql);
  const listedCollisions = connection.prepare(listedCollisionsSql);
  return (query) => {
    const found = new Map<string, LargestAccount>();
    const keep = (address: AddressBytes, lamports: bigint): void => {
      found.set(mapKeyOf(address), { address, lamports });
    };
    for (const row of listed.all()) {
      const address = addressOfKey(row[0] as bigint, row[1] as Uint8Array);
      const colliding = isNonCirculatingAccount(address) ? [] : listedCollisions.all(row[0] as bigint);
      for (const one of [row, ...colliding]) {
        const candidate = addressOfKey(one[0] as bigint, one[1] as Uint8Array);
        if (isNonCirculatingAccount(candidate)) keep(candidate, u64FromColumn(one[2] as bigint));
      }
    }
    for (const row of heldStakes.all(...clockColumns(query), query.limit)) {
      keep(row[1] as Uint8Array, u64FromColumn(row[0] as bigint));
    }
    return [...found.values()].toSorted(byLamportsFalling).slice(0, query.limit);
  };
};

const prepareScan = (connection: Connection): ((query: LargestQuery) => readonly LargestAccount[]) => {
  const everyAccount = connection.prepare(`${everyAccountSql} ORDER BY lamports DESC`);
  const findHold = connection.prepare(
    "SELECT lockup_timestamp, lockup_epoch, listed FROM stake_hold WHERE address = ?",
  );
  return (query) => {
    const found: LargestAccount[] = [];
    for (const row of everyAccount.iterate()) {
      const lamports = u64FromColumn(row[0] as bigint);
      // Ties of the last place still have to be compared by address.
      if (found.length >= query.limit && lamports < (found.at(-1) as LargestAccount).lamports) break;
      const address = addressOfKey(row[1] as bigint, row[2] as Uint8Array);
      if (query.filter === "circulating" && isDropped(address, findHold.get(address), query)) continue;
      found.push({ address, lamports });
    }
    return found.toSorted(byLamportsFalling).slice(0, query.limit);
  };
};

const isDropped = (address: AddressBytes, hold: Row | undefined, query: LargestQuery): boolean =>
  isNonCirculatingAccount(address) ||
  (hold !== undefined &&
    isNonCirculatingAt(
      {
        lockupTimestamp: hold[0] as bigint,
        lockupEpoch: u64FromColumn(hold[1] as bigint),
        listedWithdrawer: hold[2] === 1n,
      },
      query.clock,
    ));

const byLamportsFalling = (a: LargestAccount, b: LargestAccount): number =>
  a.lamports === b.lamports ? compareBytes(b.address, a.address) : a.lamports < b.lamports ? 1 : -1;
