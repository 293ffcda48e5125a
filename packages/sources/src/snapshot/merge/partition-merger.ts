import { closeSync, openSync, readSync, writeFileSync } from "node:fs";
import { diskError, LamplightError } from "@lamplight/errors";
import { AccountHasher } from "../hash/account-hasher.ts";
import { assertMergeable } from "./partition-writer.ts";
import type { MergeDone, MergeSettings, MergeTask } from "./merge-messages.ts";
import { mergePartition, type VisitWinners } from "./merge-partition.ts";
import { spillLayout } from "./partition-record.ts";

/**
 * Merges partitions one after the other, and hashes their winners if the settings require it.
 *
 * @param keepsBytes - whether the bytes of a partition stay after the next one was merged
 */
export const createPartitionMerger = (
  settings: MergeSettings,
  keepsBytes = true,
): ((task: MergeTask) => MergeDone) => {
  const hasher = settings.lattice === null && !settings.merkle ? null : new AccountHasher();
  let room = Buffer.alloc(0);
  const roomFor = (length: number): Buffer => {
    // This memory is not from the pool, so that it can be transferred to another thread.
    if (keepsBytes) return Buffer.allocUnsafeSlow(length);
    if (room.length < length) room = Buffer.allocUnsafeSlow(Math.ceil(length * ROOM_TO_GROW));
    return room.subarray(0, length);
  };
  return (task) => merge(task, settings, hasher, roomFor);
};

/** Reserve, because the next partition may be a little larger. */
const ROOM_TO_GROW = 1.25;

/** Hashes of the accounts of a merkle root, in the order of addresses. */
class HashList {
  readonly #parts: Uint8Array[] = [];

  add(hash: Uint8Array): void {
    this.#parts.push(hash);
  }

  save(file: string): void {
    try {
      writeFileSync(file, Buffer.concat(this.#parts));
    } catch (error) {
      throw diskError(error, file);
    }
  }
}

const fieldsAt = (bytes: Buffer, record: number) => {
  const end = record + spillLayout.data + bytes.readUInt32LE(record + spillLayout.dataLength);
  return {
    lamports: bytes.subarray(record + spillLayout.lamports, record + spillLayout.rentEpoch),
    rentEpoch: bytes.subarray(record + spillLayout.rentEpoch, record + spillLayout.programOwner),
    data: bytes.subarray(record + spillLayout.data, end),
    executable: bytes[record + spillLayout.executable] as number,
    programOwner: bytes.subarray(record + spillLayout.programOwner, record + spillLayout.executable),
    address: bytes.subarray(record + spillLayout.address, record + spillLayout.lamports),
  };
};

const isLiving = (bytes: Buffer, record: number): boolean =>
  bytes.readUInt32LE(record + spillLayout.lamports) !== 0 ||
  bytes.readUInt32LE(record + spillLayout.lamports + 4) !== 0;

const merge = (
  task: MergeTask,
  settings: MergeSettings,
  hasher: AccountHasher | null,
  roomFor: (length: number) => Buffer,
): MergeDone => {
  const bytes = readPartition(task, roomFor);
  const [full, incremental] = [new HashList(), new HashList()];
  const visit: VisitWinners = (overall, ofFull, ofIncremental) => {
    if (hasher === null) return;
    if (settings.lattice !== null && isLiving(bytes, overall)) {
      hasher.addRecordToLattice(bytes, overall, settings.lattice === "with-rent-epoch");
    }
    if (!settings.merkle) return;
    if (ofFull >= 0 && isLiving(bytes, ofFull)) full.add(hasher.hashAccount(fieldsAt(bytes, ofFull)));
    if (ofIncremental < 0) return;
    const fields = fieldsAt(bytes, ofIncremental);
    // The hash of an incremental archive counts closed accounts too, by their addresses.
    incremental.add(
      isLiving(bytes, ofIncremental) ? hasher.hashAccount(fields) : hasher.hashBytes(fields.address),
    );
  };
  const merged = mergePartition(
    bytes,
    { file: task.file, bits: settings.bits },
    hasher === null ? null : visit,
  );
  if (settings.merkle) {
    full.save(`${task.file}.full-hashes`);
    incremental.save(`${task.file}.incremental-hashes`);
  }
  const lattice = settings.lattice === null || hasher === null ? null : hasher.takeLattice();
  return { partition: task.partition, bytes, lattice, ...merged };
};

const readPartition = ({ file, length }: MergeTask, roomFor: (length: number) => Buffer): Buffer => {
  assertMergeable(file, length);
  const bytes = roomFor(length);
  const open = openSync(file, "r");
  try {
    // An interrupted run may have written more than it recorded.
    for (let done = 0; done < length;) {
      const read = readSync(open, bytes, done, length - done, done);
      if (read === 0)
        throw new LamplightError("SOURCE__SNAPSHOT_DAMAGED", {
          archive: file,
          reason: `the partition file is cut off after ${done} of ${length} bytes`,
        });
      done += read;
    }
  } finally {
    closeSync(open);
  }
  return bytes;
};
