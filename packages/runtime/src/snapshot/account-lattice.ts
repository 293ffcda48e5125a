import { encodeBase58 } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { AccountHasher } from "@lamplight/sources/snapshot";

export interface AccountLattice {
  /** @param account - a living one */
  add(account: Account): void;
  /** Base58 of the hash of the sum; null where nothing is hashed. */
  checksum(): string | null;
}

/** Sums accounts as the chain does. @param form - null = nothing is hashed */
export const createLattice = (form: "with-rent-epoch" | "without-rent-epoch" | null): AccountLattice => {
  const hasher = new AccountHasher();
  return {
    add: (account) => {
      if (form === null) return;
      hasher.addToLattice({
        ...account,
        lamports: u64Bytes(account.lamports),
        rentEpoch: form === "with-rent-epoch" ? u64Bytes(account.rentEpoch) : null,
        executable: Number(account.executable),
      });
    },
    checksum: () => (form === null ? null : encodeBase58(hasher.hashBytes(hasher.takeLattice()))),
  };
};

const u64Bytes = (value: bigint): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
