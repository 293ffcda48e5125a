import type { Account } from "@lamplight/core";

const HEAD_BYTES = 136;

/** Bytes of one record in a storage, with the padding to the next. */
export const recordBytes = (dataLength: number): number => (HEAD_BYTES + dataLength + 7) & ~7;

/** Bytes of a record next to the account; readers ignore all of them. */
export interface RecordNoise {
  /** Seven bytes between the executable byte and the hash. */
  readonly padding?: Uint8Array;
  /** 32 bytes where older versions kept the account hash. */
  readonly hash?: Uint8Array;
}

/** One stored account as a validator writes it; a tombstone has no lamports and no data. */
export const writeRecord = (account: Omit<Account, "slot">, noise: RecordNoise = {}): Buffer => {
  const record = Buffer.alloc(recordBytes(account.data.length));
  record.writeBigUInt64LE(BigInt(Math.max(0, account.writeVersion)), 0);
  record.writeBigUInt64LE(BigInt(account.data.length), 8);
  record.set(account.address, 16);
  record.writeBigUInt64LE(account.lamports, 48);
  record.writeBigUInt64LE(account.rentEpoch, 56);
  record.set(account.programOwner, 64);
  record[96] = Number(account.executable);
  record.set(noise.padding ?? [], 97);
  record.set(noise.hash ?? [], 104);
  record.set(account.data, HEAD_BYTES);
  return record;
};

/** A storage: records in the order of their writes. */
export const writeStorage = (accounts: readonly Omit<Account, "slot">[], noise?: RecordNoise): Buffer =>
  Buffer.concat(accounts.map((account) => writeRecord(account, noise)));
