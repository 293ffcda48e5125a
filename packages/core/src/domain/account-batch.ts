import type { Account } from "./account.ts";

/**
 * Where the fields of an account lie in a record of a batch, little-endian. Records begin at multiples of eight. It is
 * how validators store accounts, so that those of a ledger snapshot are never written again on their way into a store.
 */
export const batchLayout = {
  /** u64; 0 where it is not known. */
  writeVersion: 0,
  /** u64, of which 32 bits count. */
  dataLength: 8,
  address: 16,
  lamports: 48,
  rentEpoch: 56,
  programOwner: 64,
  /** 0 or 1. */
  executable: 96,
  /** f64, where validators kept a hash. */
  slot: 104,
  data: 136,
} as const;

/** Bytes of a record with the padding behind it. */
export const batchRecordBytes = (dataLength: number): number => (batchLayout.data + dataLength + 7) & ~7;

/**
 * Living accounts side by side in memory: for steps that see millions of them and cannot afford an object for each.
 * Iterating makes those objects; their bytes are views into the batch.
 */
export class AccountBatch implements Iterable<Account> {
  /** Begins at a multiple of eight within its memory. */
  readonly bytes: Buffer;
  /** Offset of each record in `bytes`. */
  readonly records: Uint32Array;

  constructor(bytes: Buffer, records: Uint32Array) {
    this.bytes = bytes;
    this.records = records;
  }

  /** Copies of these accounts. */
  static of(accounts: readonly Account[]): AccountBatch {
    const records = new Uint32Array(accounts.length);
    let length = 0;
    for (const [index, { data }] of accounts.entries()) {
      records[index] = length;
      length += batchRecordBytes(data.length);
    }
    const bytes = Buffer.alloc(length);
    for (const [index, account] of accounts.entries())
      writeBatchRecord(account, bytes, records[index] as number);
    return new AccountBatch(bytes, records);
  }

  get count(): number {
    return this.records.length;
  }

  *[Symbol.iterator](): Generator<Account, void> {
    for (const record of this.records) yield this.accountAt(record);
  }

  /** @param record - where it begins in `bytes` */
  accountAt(record: number): Account {
    return accountAt(this.bytes, record);
  }

  writeVersionAt(record: number): number {
    return writeVersionAt(this.bytes, record);
  }
}

/** The account of a record, wherever it lies; its bytes are views. */
export const accountAt = (bytes: Buffer, record: number): Account => {
  const { buffer } = bytes;
  const from = bytes.byteOffset + record;
  return {
    address: new Uint8Array(buffer, from + batchLayout.address, 32),
    programOwner: new Uint8Array(buffer, from + batchLayout.programOwner, 32),
    lamports: bytes.readBigUInt64LE(record + batchLayout.lamports),
    executable: bytes[record + batchLayout.executable] === 1,
    rentEpoch: bytes.readBigUInt64LE(record + batchLayout.rentEpoch),
    data: new Uint8Array(
      buffer,
      from + batchLayout.data,
      bytes.readUInt32LE(record + batchLayout.dataLength),
    ),
    slot: bytes.readDoubleLE(record + batchLayout.slot),
    writeVersion: writeVersionAt(bytes, record),
  };
};

/** A counter over the whole validator in old archives, zero in newer ones; what cannot be one counts as zero. */
const writeVersionAt = (bytes: Buffer, record: number): number => {
  const low = bytes.readUInt32LE(record + batchLayout.writeVersion);
  const high = bytes.readUInt32LE(record + batchLayout.writeVersion + 4);
  return high >= 2 ** 21 ? 0 : high * 2 ** 32 + low;
};

/** Writes one record; the bytes there must be zero, and as many as `batchRecordBytes` says. */
const writeBatchRecord = (account: Account, bytes: Buffer, at: number): void => {
  bytes.writeBigUInt64LE(BigInt(Math.max(0, account.writeVersion)), at + batchLayout.writeVersion);
  bytes.writeUInt32LE(account.data.length, at + batchLayout.dataLength);
  bytes.set(account.address, at + batchLayout.address);
  bytes.writeBigUInt64LE(account.lamports, at + batchLayout.lamports);
  bytes.writeBigUInt64LE(account.rentEpoch, at + batchLayout.rentEpoch);
  bytes.set(account.programOwner, at + batchLayout.programOwner);
  bytes[at + batchLayout.executable] = Number(account.executable);
  bytes.writeDoubleLE(account.slot, at + batchLayout.slot);
  bytes.set(account.data, at + batchLayout.data);
};
