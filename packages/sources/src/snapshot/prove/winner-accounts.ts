import type { Account } from "@lamplight/core";
import { spillLayout } from "../merge/partition-record.ts";
import type { WinnerBatch } from "./merge-snapshot.ts";

/** The accounts of a batch, ascending; their bytes are views into it. The slot is the one of the storage. */
export function* accountsOf({ bytes, winners }: Pick<WinnerBatch, "bytes" | "winners">): Generator<Account> {
  for (const record of winners) yield accountAt(bytes, record);
}

/** Whether the stage left the data of this account out. */
export const isBareAt = (bytes: Buffer, record: number): boolean => bytes[record + spillLayout.isBare] === 1;

export const accountAt = (bytes: Buffer, record: number): Account => {
  const from = bytes.byteOffset + record;
  const { buffer } = bytes;
  const dataLength = bytes.readUInt32LE(record + spillLayout.dataLength);
  return {
    address: new Uint8Array(buffer, from + spillLayout.address, 32),
    programOwner: new Uint8Array(buffer, from + spillLayout.programOwner, 32),
    lamports: bytes.readBigUInt64LE(record + spillLayout.lamports),
    executable: bytes[record + spillLayout.executable] === 1,
    rentEpoch: bytes.readBigUInt64LE(record + spillLayout.rentEpoch),
    data: new Uint8Array(buffer, from + spillLayout.data, dataLength),
    slot: bytes.readDoubleLE(record + spillLayout.slot),
    writeVersion: writeVersionAt(bytes, record),
  };
};

/** A counter over the whole validator in old archives, zero in newer ones. */
const writeVersionAt = (bytes: Buffer, record: number): number => {
  const low = bytes.readUInt32LE(record + spillLayout.writeVersion);
  const high = bytes.readUInt32LE(record + spillLayout.writeVersion + 4);
  return high >= 2 ** 21 ? 0 : high * 2 ** 32 + low;
};
