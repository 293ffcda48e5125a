import {
  type AddressBytes,
  byHolderOrder,
  type Holder,
  type HolderCount,
  holdersNotIndexed,
  type HolderOrder,
  type HolderQuery,
  u64FromColumn,
  u64ToColumn,
} from "@lamplight/core";
import type { Row, Statements } from "../engine/statements.ts";
import { type Statement, statement } from "../engine/statement.ts";

const byAddress: Readonly<Record<HolderOrder["direction"], Statement>> = {
  asc: statement(`SELECT token_account, amount FROM holder
WHERE mint = $1 AND positive = $2 AND token_account > $3 ORDER BY token_account LIMIT $4`),
  desc: statement(`SELECT token_account, amount FROM holder
WHERE mint = $1 AND positive = $2 AND token_account < $3 ORDER BY token_account DESC LIMIT $4`),
};
const byAmount: Readonly<Record<HolderOrder["direction"], Statement>> = {
  asc: statement(`SELECT token_account, amount FROM holder
WHERE mint = $1 AND (amount, token_account) > ($2, $3) ORDER BY amount, token_account LIMIT $4`),
  desc: statement(`SELECT token_account, amount FROM holder
WHERE mint = $1 AND (amount, token_account) < ($2, $3) AND amount >= $4
ORDER BY amount DESC, token_account DESC LIMIT $5`),
};
export const holderStatements = { byAddress, byAmount };
const countOf = statement("SELECT positive, empty FROM holder_count WHERE mint = $1");

const beforeAll = new Uint8Array(0);
const afterAll = new Uint8Array(33).fill(0xff);
const U64_MAX = 2n ** 64n - 1n;

/** Token accounts of one mint. */
export const listHolders = async (
  db: Statements,
  hasHolders: boolean,
  query: HolderQuery,
): Promise<readonly Holder[]> => {
  if (!hasHolders) throw holdersNotIndexed();
  return query.sort === "address" ? listByAddress(db, query) : listByAmount(db, query);
};

const listByAddress = async (db: Statements, query: HolderQuery): Promise<readonly Holder[]> => {
  const { mint, direction, limit, showsEmpty } = query;
  const after = query.after?.tokenAccount ?? (direction === "asc" ? beforeAll : afterAll);
  const list = async (positive: boolean): Promise<readonly Holder[]> =>
    (await db.all(byAddress[direction], mint, positive, after, limit)).map(holderOf);
  if (!showsEmpty) return list(true);
  const found = await Promise.all([list(true), list(false)]);
  return found.flat().toSorted(byHolderOrder(query)).slice(0, limit);
};

const listByAmount = async (
  db: Statements,
  { mint, direction, limit, showsEmpty, after }: HolderQuery,
): Promise<readonly Holder[]> => {
  const least = showsEmpty ? 0n : 1n;
  if (direction === "desc") {
    const { amount, tokenAccount } = after ?? { amount: U64_MAX, tokenAccount: afterAll };
    const floor = u64ToColumn(least);
    const rows = await db.all(byAmount.desc, mint, u64ToColumn(amount), tokenAccount, floor, limit);
    return rows.map(holderOf);
  }
  const isAbove = after !== undefined && after.amount >= least;
  const { amount, tokenAccount } = isAbove ? after : { amount: least, tokenAccount: beforeAll };
  return (await db.all(byAmount.asc, mint, u64ToColumn(amount), tokenAccount, limit)).map(holderOf);
};

const holderOf = (row: Row): Holder => ({
  tokenAccount: row[0] as Uint8Array,
  amount: u64FromColumn(row[1] as bigint),
});

export const countHolders = async (
  db: Statements,
  hasHolders: boolean,
  mint: AddressBytes,
): Promise<HolderCount> => {
  if (!hasHolders) throw holdersNotIndexed();
  const row = await db.get(countOf, mint);
  return { positive: Number(row?.[0] ?? 0), empty: Number(row?.[1] ?? 0) };
};
