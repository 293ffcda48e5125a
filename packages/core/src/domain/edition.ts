import type { AddressBytes } from "./address.ts";

/** A parent print account. */
export interface MasterEdition {
  /** Address of the master edition account. */
  readonly address: AddressBytes;
  readonly supply: bigint;
  /** Null = unlimited. */
  readonly maxSupply: bigint | null;
}

/** One numbered print. */
export interface Edition {
  /** Address of the edition account. */
  readonly address: AddressBytes;
  /** Address of the master edition account. */
  readonly parent: AddressBytes;
  /** The print's own mint. */
  readonly mint: AddressBytes;
  /** u64 on chain. */
  readonly number: bigint;
}
