import { batchLayout, batchRecordBytes } from "@lamplight/core";

// A record in a partition file is the account in the layout of the archive, padded to eight bytes. So a partition in
// memory is a batch of accounts. The fields that rank records take the place of the account hash, which is computed
// again.

/** Layout of a record in a partition file, where it differs from a storage. */
export const spillLayout = {
  ...batchLayout,
  /** f64, as the slot: below 2^53. */
  storageId: 112,
  offset: 120,
  /** 0 = full archive, 1 = incremental. */
  origin: 128,
  /** 1 = without data: the filter does not need the account, and only its lamports and rank count. */
  isBare: 129,
} as const;

/** Whether the record was written without the data of the account, because the filter does not need it. */
export const isBareRecord = (bytes: Uint8Array, record: number): boolean =>
  bytes[record + spillLayout.isBare] === 1;

export const spillBytes: (dataLength: number) => number = batchRecordBytes;

export type Origin = 0 | 1;
export const FULL_ORIGIN: Origin = 0;
export const INCREMENTAL_ORIGIN: Origin = 1;

/**
 * The partition of an address. Partitions ascend by addresses as signed numbers, the order of keys in the store.
 *
 * @param bits - the partitions are 2^bits, 1 to 16
 */
export const partitionOf = (firstTwoBytes: number, bits: number): number =>
  (firstTwoBytes ^ 0x8000) >>> (16 - bits);
