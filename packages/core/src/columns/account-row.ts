import {
  decodeZeroRuns,
  decodeZeroRunsStart,
  encodeAddress,
  encodeZeroRuns,
  tokenAccountLayout,
} from "@lamplight/codecs";
import { LamplightError } from "@lamplight/errors";
import type { Account } from "../domain/account.ts";
import type { AddressBytes } from "../domain/address.ts";
import type { BaseTokenAccount } from "../domain/base-token-account.ts";
import { u64FromColumn, u64ToColumn } from "./u64-column.ts";

// Both stores keep accounts in this form. Bits of `flags`:
export const EXECUTABLE_BIT = 1;
/** The rent epoch is 2^64 - 1, as nearly always, and its column is null. */
export const RENT_EXEMPT_BIT = 2;
/** `data` is zero-run coded. */
export const CODED_BIT = 4;
/** There is a row in `holding`, in `stake_hold`: the writer looks there only when it is set. */
export const HOLDING_BIT = 8;
export const NON_CIRCULATING_STAKE_BIT = 16;
/** There is a row in `last_life`. */
export const LAST_LIFE_BIT = 32;
/** All of them. */
export const ACCOUNT_BITS = 63;

export const RENT_EXEMPT_EPOCH = 2n ** 64n - 1n;

/** The columns that say what an account holds, as `decodeAccountRow` reads them. */
export const accountRowColumns = "program, lamports, slot, write_version, flags, rent_epoch, data";

/** Values of `flags`, `rent_epoch` and `data`. */
export interface EncodedAccount {
  readonly flags: number;
  readonly rentEpoch: bigint | null;
  readonly data: Uint8Array;
}

export const encodeAccountRow = (account: Account): EncodedAccount => {
  const coded = encodeZeroRuns(account.data);
  const isRentExempt = account.rentEpoch === RENT_EXEMPT_EPOCH;
  return {
    flags:
      (account.executable ? EXECUTABLE_BIT : 0) |
      (isRentExempt ? RENT_EXEMPT_BIT : 0) |
      (coded === null ? 0 : CODED_BIT),
    rentEpoch: isRentExempt ? null : u64ToColumn(account.rentEpoch),
    data: coded ?? account.data,
  };
};

/** Finds the program behind a dictionary id, in the type that the store's driver gives integers. */
export type ProgramOf<Id> = (id: Id) => AddressBytes;

/**
 * The account in a row that has `accountRowColumns` from column `at` on.
 *
 * @throws LamplightError `STORE__CORRUPT` when its data cannot be decoded
 */
export const decodeAccountRow = <Id>(
  address: AddressBytes,
  row: readonly unknown[],
  at: number,
  programOf: ProgramOf<Id>,
): Account => decodeAccountParts(address, programOf(row[at] as Id), row, at + 1, row[at + 6] as Uint8Array);

/** The columns between program and data, as `decodeAccountParts` reads them. */
export const accountPartColumns = "lamports, slot, write_version, flags, rent_epoch";

/**
 * The same of a row that has `accountPartColumns` from column `at` on.
 *
 * @param stored - its column `data`
 * @throws LamplightError `STORE__CORRUPT`
 */
export const decodeAccountParts = (
  address: AddressBytes,
  programOwner: AddressBytes,
  row: readonly unknown[],
  at: number,
  stored: Uint8Array,
): Account => {
  const flags = Number(row[at + 3]);
  const rentEpoch = row[at + 4] as bigint | null;
  const data = (flags & CODED_BIT) === 0 ? stored : decodeZeroRuns(stored);
  if (data === null) {
    throw new LamplightError("STORE__CORRUPT", {
      store: "the account table",
      reason: `the data of ${encodeAddress(address)} cannot be decoded`,
    });
  }
  return {
    address,
    programOwner,
    lamports: u64FromColumn(row[at] as bigint),
    executable: (flags & EXECUTABLE_BIT) !== 0,
    rentEpoch: rentEpoch === null ? RENT_EXEMPT_EPOCH : u64FromColumn(rentEpoch),
    data,
    slot: Number(row[at + 1]),
    writeVersion: Number(row[at + 2]),
  };
};

/** The first bytes of a column `data` that are enough for a `BaseTokenAccount`: coding writes at most two bytes for one. */
export const STORED_BASE_BYTES = 2 * tokenAccountLayout.bytes;

/** @param start - the first `STORED_BASE_BYTES` of the column `data` */
export const decodeBaseTokenAccount = (
  address: AddressBytes,
  programOwner: AddressBytes,
  slot: number,
  flags: number,
  start: Uint8Array,
): BaseTokenAccount => ({
  address,
  programOwner,
  slot,
  data:
    (flags & CODED_BIT) === 0
      ? start.slice(0, tokenAccountLayout.bytes)
      : decodeZeroRunsStart(start, new Uint8Array(tokenAccountLayout.bytes)),
});
