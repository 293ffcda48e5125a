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
import type { Row, Statements, Value } from "../engine/statements.ts";
import { type Statement, statement } from "../engine/statement.ts";

type Direction = HolderOrder["direction"];

/** Lists in each order. */
export const holderLists: Readonly<Record<HolderOrder["sort"], Readonly<Record<Direction, Statement>>>> = {
  address: {
    asc: statement(`SELECT token_account, amount FROM holder
WHERE mint = $1 AND positive = $2 AND token_account > $3 ORDER BY token_account LIMIT $4`),
    desc: statement(`SELECT token_account, amount FROM holder
WHERE mint = $1 AND positive = $2 AND token_account < $3 ORDER BY token_account DESC LIMIT $4`),
  },
  amount: {
    asc: statement(`SELECT token_account, amount FROM holder
WHERE mint = $1 AND (amount, token_account) > ($2, $3) ORDER BY amount, token_account LIMIT $4`),
    desc: statement(`SELECT token_account, amount FROM holder
WHERE mint = $1 AND (amount, token_account) < ($2, $3) AND amount >= $5
ORDER BY amount DESC, token_account DESC LIMIT $4`),
  },
};
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
  const { sort, direction, limit, showsEmpty } = query;
  const list = async (positive: boolean): Promise<readonly Holder[]> =>
    (await db.all(holderLists[sort][direction], ...holderListValues(query, positive))).map(holderOf);
  if (sort === "amount" || !showsEmpty) return list(true);
  const found = await Promise.all([list(true), list(false)]);
  return found.flat().toSorted(byHolderOrder(query)).slice(0, limit);
};

/**
 * What a list of `holderLists` binds.
 *
 * @param positive - whether a list by address has the accounts with an amount above zero, or the empty ones
 */
export const holderListValues = (query: HolderQuery, positive: boolean): readonly Value[] => {
  const { mint, sort, direction, limit, showsEmpty, after } = query;
  if (sort === "address") {
    const first = after?.tokenAccount ?? (direction === "asc" ? beforeAll : afterAll);
    return [mint, positive, first, limit];
  }
  const least = showsEmpty ? 0n : 1n;
  if (direction === "desc") {
    const { amount, tokenAccount } = after ?? { amount: U64_MAX, tokenAccount: afterAll };
    return [mint, u64ToColumn(amount), tokenAccount, limit, u64ToColumn(least)];
  }
  const isAbove = after !== undefined && after.amount >= least;
  const { amount, tokenAccount } = isAbove ? after : { amount: least, tokenAccount: beforeAll };
  return [mint, u64ToColumn(amount), tokenAccount, limit];
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
