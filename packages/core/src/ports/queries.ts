import type { Holding } from "../domain/account-facts.ts";
import type { AddressBytes } from "../domain/address.ts";
import type { Holder, HolderOrder } from "../domain/holder.ts";

/** Selects token accounts of a delegate. */
export interface DelegateQuery {
  /** Address that was approved. */
  readonly delegate: AddressBytes;
  /** Token program that must own the account. */
  readonly tokenProgram: AddressBytes;
  /** Null = any mint. */
  readonly mint: AddressBytes | null;
  /** Only addresses above this one; absent = from the first. */
  readonly after?: AddressBytes;
  /** At most so many; a shorter page is the last one. Absent = all. */
  readonly limit?: number;
}

/** Selects accounts with the largest balances. */
export interface LargestQuery {
  /** The set of accounts that are compared. */
  readonly filter: "all" | "circulating" | "nonCirculating";
  /** Largest number of accounts to list. */
  readonly limit: number;
  /** Clock of the answering slot. Lockups expire by it, without an update of the account. */
  readonly clock: { readonly epoch: bigint; readonly unixTimestamp: bigint };
}

/** An account and its balance. */
export interface LargestAccount {
  /** Address of the account. */
  readonly address: AddressBytes;
  /** Balance, a u64. */
  readonly lamports: bigint;
}

/** Selects token accounts of a wallet. */
export interface HoldingQuery {
  /** The wallet. */
  readonly tokenOwner: AddressBytes;
  /** Mints without repeats. */
  readonly mints: readonly AddressBytes[];
  /** Lists only token accounts of each mint above this address; absent = from the first. */
  readonly after?: AddressBytes;
  /** Largest number of accounts to list of each mint. Absent = all. */
  readonly limit?: number;
}

/** Selects token accounts of a wallet for every mint. */
export interface WalletQuery {
  /** The wallet. */
  readonly tokenOwner: AddressBytes;
  /** Lists only what follows this place, in the order of mints and then of token accounts; absent = from the first. */
  readonly after?: Pick<Holding, "mint" | "tokenAccount">;
  /** At most so many; a shorter page is the last one. */
  readonly limit: number;
}

/** Selects a wallet of few token accounts. */
export interface HeldQuery {
  /** The wallet. */
  readonly tokenOwner: AddressBytes;
  /** Null = every mint. */
  readonly mint: AddressBytes | null;
  /** Whether token accounts with an amount of zero are listed, too. */
  readonly showsEmpty: boolean;
  /** A wallet with more is not answered. */
  readonly limit: number;
}

/** Selects token accounts of a mint. */
export interface HolderQuery extends HolderOrder {
  /** Mint of the token accounts, of every wallet. */
  readonly mint: AddressBytes;
  /** Whether token accounts with an amount of zero are listed, too. */
  readonly showsEmpty: boolean;
  /** Lists only what follows this place in the order, which need not be there; absent = from the first. */
  readonly after?: Holder;
  /** At most so many; a shorter page is the last one. */
  readonly limit: number;
}

/** The part that an off-chain document adds to the assets that name it. */
export interface StoredContent {
  /** JSON text made by `contentParts`; null where it is larger than `bytesMax`. */
  readonly parts: string | null;
}

/** The start of a list of prints. */
export type EditionStart =
  /** Rows to skip from the first edition. */
  | { readonly kind: "offset"; readonly offset: number }
  /** Editions with a larger number. */
  | { readonly kind: "after"; readonly number: bigint }
  /** The `limit` editions directly below this number, also ascending. */
  | { readonly kind: "before"; readonly number: bigint };
