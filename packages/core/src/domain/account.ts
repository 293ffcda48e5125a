import type { AddressBytes, Slot } from "./address.ts";

/** One version of one account, as the chain holds it. Zero lamports = the account does not exist (a tombstone). */
export interface Account {
  readonly address: AddressBytes;
  readonly programOwner: AddressBytes;
  /** 0 to 2^64 - 1. */
  readonly lamports: bigint;
  readonly executable: boolean;
  /** Often 2^64 - 1. */
  readonly rentEpoch: bigint;
  readonly data: Uint8Array;
  /** Slot of the write. */
  readonly slot: Slot;
  /** Order of writes within a slot; 0 where the source does not carry it. Stays below 2^53. */
  readonly writeVersion: number;
}

/**
 * Whether version a of an account is older than version b of it: by slot, then by write version, which orders the writes
 * of one slot only. Equal is not older: a later arrival wins.
 */
export const isOlderVersion = (
  a: { readonly slot: Slot; readonly writeVersion: number },
  b: { readonly slot: Slot; readonly writeVersion: number },
): boolean => a.slot < b.slot || (a.slot === b.slot && a.writeVersion < b.writeVersion);
