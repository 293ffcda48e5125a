import {
  type AddressBytes,
  byHolderOrder,
  type Holder,
  type HolderCount,
  type HolderOrder,
  type HolderQuery,
  u64FromColumn,
  u64ToColumn,
} from "@lamplight/core";
import type { Connection, Row } from "../engine/connection.ts";

/** A bare `LIMIT ?` would make the engine plan the statement again for every value bound to it. */
export const holdersByAddressSql = (direction: HolderOrder["direction"]): string =>
  `SELECT token_account, amount FROM holder
WHERE mint = ? AND positive = ? AND token_account ${direction === "asc" ? ">" : "<"} ?
ORDER BY token_account ${direction} LIMIT ? + 0`;

export const holdersByAmountSql: Readonly<Record<HolderOrder["direction"], string>> = {
  asc: `SELECT token_account, amount FROM holder
WHERE mint = ? AND (amount, token_account) > (?, ?) ORDER BY amount, token_account LIMIT ? + 0`,
  desc: `SELECT token_account, amount FROM holder
WHERE mint = ? AND (amount, token_account) < (?, ?) AND amount >= ?
ORDER BY amount DESC, token_account DESC LIMIT ? + 0`,
};

const beforeAll = new Uint8Array(0);
const afterAll = new Uint8Array(33).fill(0xff);
const U64_MAX = 2n ** 64n - 1n;

/** Token accounts of one mint; a range of a key for each order. */
export const prepareListHolders = (connection: Connection): ((query: HolderQuery) => readonly Holder[]) => {
  const byAddress = {
    asc: connection.prepare(holdersByAddressSql("asc")),
    desc: connection.prepare(holdersByAddressSql("desc")),
  };
  const byAmount = {
    asc: connection.prepare(holdersByAmountSql.asc),
    desc: connection.prepare(holdersByAmountSql.desc),
  };
  const listByAddress = (query: HolderQuery): readonly Holder[] => {
    const { mint, direction, limit, showsEmpty } = query;
    const after = query.after?.tokenAccount ?? (direction === "asc" ? beforeAll : afterAll);
    const list = (positive: number): Holder[] =>
      byAddress[direction].all(mint, positive, after, limit).map(holderOf);
    if (!showsEmpty) return list(1);
    return [...list(1), ...list(0)].toSorted(byHolderOrder(query)).slice(0, limit);
  };
  const listByAmount = ({ mint, direction, limit, showsEmpty, after }: HolderQuery): readonly Holder[] => {
    const least = showsEmpty ? 0n : 1n;
    if (direction === "desc") {
      const { amount, tokenAccount } = after ?? { amount: U64_MAX, tokenAccount: afterAll };
      return byAmount.desc
        .all(mint, u64ToColumn(amount), tokenAccount, u64ToColumn(least), limit)
        .map(holderOf);
    }
    const isAbove = after !== undefined && after.amount >= least;
    const { amount, tokenAccount } = isAbove ? after : { amount: least, tokenAccount: beforeAll };
    return byAmount.asc.all(mint, u64ToColumn(amount), tokenAccount, limit).map(holderOf);
  };
  return (query) => (query.sort === "address" ? listByAddress(query) : listByAmount(query));
};

const holderOf = (row: Row): Holder => ({
  tokenAccount: row[0] as Uint8Array,
  amount: u64FromColumn(row[1] as bigint),
});

export const prepareCountHolders = (connection: Connection): ((mint: AddressBytes) => HolderCount) => {
  const statement = connection.prepare("SELECT positive, empty FROM holder_count WHERE mint = ?");
  return (mint) => {
    const row = statement.get(mint);
    return { positive: Number(row?.[0] ?? 0), empty: Number(row?.[1] ?? 0) };
  };
};
