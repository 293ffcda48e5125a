import type { Account } from "../domain/account.ts";
import type { AddressBytes, MaybePromise } from "../domain/address.ts";

export interface DelegateQuery {
  readonly delegate: AddressBytes;
  /** Token program that must own the account. */
  readonly tokenProgram: AddressBytes;
  /** Null = any mint. */
  readonly mint: AddressBytes | null;
  /** Only addresses above; absent = from the first. */
  readonly after?: AddressBytes;
  /** At most so many: a page that is shorter is the last. Absent = all. */
  readonly limit?: number;
}

export interface LargestQuery {
  readonly filter: "all" | "circulating" | "nonCirculating";
  readonly limit: number;
  /** Clock of the answering slot: locks expire by it, without an update. */
  readonly clock: { readonly epoch: bigint; readonly unixTimestamp: bigint };
}

export interface LargestAccount {
  readonly address: AddressBytes;
  readonly lamports: bigint;
}

/** Accounts at the slot of the read view. */
export interface AccountReader {
  /** Null when the account does not exist at this slot. `data` is decoded and safe to keep. */
  findAccount(address: AddressBytes): MaybePromise<Account | null>;
  /** Same order and length as `addresses`, which may repeat. One statement, however many. */
  findAccounts(addresses: readonly AddressBytes[]): MaybePromise<readonly (Account | null)[]>;
  /** Whether the newest version that was stored of the account is its closing. False for an account never stored. */
  isClosed(address: AddressBytes): MaybePromise<boolean>;
  /**
   * Token accounts of one program with an approved delegate (option tag exactly 1, state byte not 0, token-account
   * length), regardless of the delegated amount; ascending by address bytes. Reads an index, never scans.
   */
  listAccountsByDelegate(query: DelegateQuery): MaybePromise<readonly Account[]>;
  /**
   * The `limit` largest by lamports, falling, ties by address bytes falling. `nonCirculating` keeps only, `circulating`
   * drops: listed addresses, and stake accounts (initialized or delegated) whose lockup is in force at `clock`
   * (timestamp or epoch strictly later) or whose withdraw authority is listed.
   */
  listLargestAccounts(query: LargestQuery): MaybePromise<readonly LargestAccount[]>;
}
