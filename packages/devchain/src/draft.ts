import { programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";

/** An account before a slot and a write version are assigned to its write. */
export type Draft = Omit<Account, "slot" | "writeVersion">;

export const U64_MAX: bigint = 2n ** 64n - 1n;

/** The rent-exempt lamports of an account of this size. */
export const rentExemptLamports = (dataBytes: number): bigint => BigInt(128 + dataBytes) * 6960n;

/** A rent-exempt account with data, as programs create them. */
export const draftOf = (
  address: Uint8Array,
  programOwner: Uint8Array,
  data: Uint8Array,
  extraLamports = 0n,
): Draft => ({
  address,
  programOwner,
  lamports: rentExemptLamports(data.length) + extraLamports,
  executable: false,
  rentEpoch: U64_MAX,
  data,
});

/** The end of an account. */
export const tombstoneOf = (address: Uint8Array): Draft => ({
  address,
  programOwner: programAddresses.system,
  lamports: 0n,
  executable: false,
  rentEpoch: 0n,
  data: new Uint8Array(0),
});
