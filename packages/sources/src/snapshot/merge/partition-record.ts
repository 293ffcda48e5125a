import { batchLayout, batchRecordBytes } from "@lamplight/core";

// A record in a partition file is the stored account as it came, padded to eight bytes, so that a partition in memory
// is a batch of accounts. What ranks a record lies where the account hash was, which no one needs: it is computed again.

/** Layout of a record in a partition file, where it differs from a storage. */
export const spillLayout = {
  ...batchLayout,
  /** f64, as the slot: below 2^53. */
  storageId: 112,
  offset: 120,
  /** 0 = full archive, 1 = incremental. */
  origin: 128,
  /** 1 = the data was left out: the account is none of those needed, only its lamports and place count. */
  isBare: 129,
} as const;

/** Whether the data of the account was left out while its archive was read: it is not what the chain holds. */
export const isBareRecord = (bytes: Uint8Array, record: number): boolean =>
  bytes[record + spillLayout.isBare] === 1;

export const spillBytes: (dataLength: number) => number = batchRecordBytes;

export type Origin = 0 | 1;
export const fullOrigin: Origin = 0;
export const incrementalOrigin: Origin = 1;

/**
 * The partition of an address. Ascending partitions are ascending in the order of addresses as signed numbers, which
 * is how a store of rows by signed keys needs them.
 *
 * @param bits - the partitions are 2^bits, 1 to 16
 */
export const partitionOf = (firstTwoBytes: number, bits: number): number =>
  (firstTwoBytes ^ 0x8000) >>> (16 - bits);
