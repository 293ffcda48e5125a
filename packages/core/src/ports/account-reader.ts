import type { Account } from "../domain/account.ts";
import type { AddressBytes, MaybePromise } from "../domain/address.ts";
import type { Holding } from "./index-store.ts";

/** Which token accounts of a delegate to list. */
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

/** Which of the largest balances to list. */
export interface LargestQuery {
  /** The set of accounts that are compared. */
  readonly filter: "all" | "circulating" | "nonCirculating";
  /** At most so many accounts. */
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

/** Which token accounts of a wallet to list. */
export interface HoldingQuery {
  /** The wallet. */
  readonly tokenOwner: AddressBytes;
  /** Mints without repeats. */
  readonly mints: readonly AddressBytes[];
  /** Of each mint, only token accounts above this address; absent = from the first. */
  readonly after?: AddressBytes;
  /** At most so many of each mint. Absent = all. */
  readonly limit?: number;
}

/** Accounts at the slot of the read view. */
export interface AccountReader {
  /** Null when the account does not exist at this slot. `data` is decoded and safe to keep. */
  findAccount(address: AddressBytes): MaybePromise<Account | null>;
  /** Same order and length as `addresses`, which may repeat. One statement, however many. */
  findAccounts(addresses: readonly AddressBytes[]): MaybePromise<readonly (Account | null)[]>;
  /** Whether the newest stored version of the account is its closing. False for an account that was never stored. */
  isClosed(address: AddressBytes): MaybePromise<boolean>;
  /**
   * Token accounts of one program with an approved delegate (option tag exactly 1, state byte not 0, token-account
   * length), regardless of the delegated amount; ascending by address bytes. Reads an index, never scans.
   */
  listAccountsByDelegate(query: DelegateQuery): MaybePromise<readonly Account[]>;
  /**
   * Token accounts of a wallet, empty ones too: in the order of the mints asked, of each mint ascending by address bytes.
   *
   * @throws LamplightError `STORE__NOT_COVERED` where the store has no index of holdings
   */
  listHoldings(query: HoldingQuery): MaybePromise<readonly Holding[]>;
  /**
   * The `limit` largest balances, descending; equal ones descending by address bytes. `nonCirculating` keeps only the
   * non-circulating accounts, `circulating` drops them. These are listed addresses, and stake accounts (initialized or
   * delegated) with a listed withdraw authority or a lockup whose timestamp or epoch is strictly later than `clock`.
   */
  listLargestAccounts(query: LargestQuery): MaybePromise<readonly LargestAccount[]>;
}
