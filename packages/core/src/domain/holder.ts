import { decodeTokenAccount } from "@lamplight/codecs";
import type { Account } from "./account.ts";
import type { Holding } from "./account-facts.ts";
import type { AddressBytes } from "./address.ts";

/** A token account in the list of those of its mint. */
export interface Holder {
  /** Address of the token account. */
  readonly tokenAccount: AddressBytes;
  /** Raw amount, a u64. */
  readonly amount: bigint;
}

/** How many token accounts a mint has. */
export interface HolderCount {
  /** Those with an amount above zero. */
  readonly positive: number;
  /** The others. */
  readonly empty: number;
}

/** The order of the token accounts of a mint. Equal amounts are sorted by address, in the same direction. */
export interface HolderOrder {
  readonly sort: "address" | "amount";
  readonly direction: "asc" | "desc";
}

/** Compares two token accounts in this order. */
export const byHolderOrder =
  ({ sort, direction }: HolderOrder) =>
  (one: Holder, other: Holder): number => {
    const byAddress = Buffer.compare(one.tokenAccount, other.tokenAccount);
    const ascending =
      sort === "address" || one.amount === other.amount ? byAddress : one.amount < other.amount ? -1 : 1;
    return direction === "asc" ? ascending : -ascending;
  };

/** The raw amount of the account behind a holding. */
export const amountHeld = ({ data }: Account, { positive }: Holding): bigint =>
  positive ? decodeTokenAccount(data)!.amount : 0n;

/** Entry of a store's key-value table; `on` while it keeps the token accounts of each mint. Copies do not carry it. */
export const holdersKey = "holders";
