import { LamplightError } from "@lamplight/errors";
import { incrementalOrigin, type Origin, spillBytes, spillLayout } from "./partition-record.ts";

/** The records of one partition, found and put in order. */
export interface MergedPartition {
  /** Offsets of the living winners in the partition, ascending by address. */
  readonly winners: Float64Array;
  readonly counts: MergeCounts;
  /** Sums of lamports of the winners of everything, and of the full archive alone. */
  readonly lamports: bigint;
  readonly fullLamports: bigint;
}

export interface MergeCounts {
  readonly records: number;
  readonly addresses: number;
  /** Winners that exist. */
  readonly living: number;
  /** Winners without lamports: they do not exist. */
  readonly tombstones: number;
  /** Bytes of data of the living. */
  readonly dataBytes: number;
}

/** Called for each address with the winner among the records of each origin; -1 = no record. */
export type VisitWinners = (overall: number, full: number, incremental: number) => void;

/**
 * Finds the winner of every address: the newest slot; within it the later record of the same storage, or, among
 * storages, the higher write version, then the higher storage id.
 *
 * @param place - the file names the partition in errors; all addresses of it are equal in their first `bits`
 */
export const mergePartition = (
  bytes: Buffer,
  place: { readonly file: string; readonly bits: number },
  visit: VisitWinners | null,
): MergedPartition => {
  const offsets = findRecords(bytes, place.file);
  const order = sortRecords(bytes, offsets, place.bits);
  const winners = new Float64Array(offsets.length);
  const versions = new Versions(bytes);
  const tally = { addresses: 0, living: 0, dataBytes: 0 };
  const lamports = new LamportSum(bytes);
  const fullLamports = new LamportSum(bytes);
  let start = 0;
  while (start < order.length) {
    const first = order[start] as number;
    let end = start + 1;
    let overall = first;
    let [full, incremental] = byOrigin(bytes, first);
    if (end < order.length && hasSameAddress(bytes, first, order[end] as number)) {
      while (end < order.length && hasSameAddress(bytes, first, order[end] as number)) end += 1;
      const group = order.subarray(start, end);
      overall = versions.newest(group, null);
      full = versions.newest(group, 0);
      incremental = versions.newest(group, 1);
    }
    start = end;
    tally.addresses += 1;
    if (full >= 0) fullLamports.add(full);
    if (lamports.add(overall)) {
      winners[tally.living] = overall;
      tally.living += 1;
      tally.dataBytes += bytes.readUInt32LE(overall + spillLayout.dataLength);
    }
    visit?.(overall, full, incremental);
  }
  const { addresses, living, dataBytes } = tally;
  return {
    winners: winners.slice(0, living),
    counts: { records: offsets.length, addresses, living, tombstones: addresses - living, dataBytes },
    lamports: lamports.total(),
    fullLamports: fullLamports.total(),
  };
};

const byOrigin = (bytes: Buffer, record: number): [number, number] =>
  bytes[record + spillLayout.origin] === incrementalOrigin ? [-1, record] : [record, -1];

/** Sums u64 numbers without making a bigint of each: partitions stay far below 2^21 records of 2^32. */
class LamportSum {
  readonly #bytes: Buffer;
  #low = 0;
  #high = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Whether there were any. */
  add(record: number): boolean {
    const low = this.#bytes.readUInt32LE(record + spillLayout.lamports);
    const high = this.#bytes.readUInt32LE(record + spillLayout.lamports + 4);
    this.#low += low;
    this.#high += high;
    return low !== 0 || high !== 0;
  }

  total(): bigint {
    return BigInt(this.#low) + (BigInt(this.#high) << 32n);
  }
}

const findRecords = (bytes: Buffer, file: string): Float64Array => {
  let count = 0;
  let at = 0;
  while (at + spillLayout.data <= bytes.length) {
    at += spillBytes(bytes.readUInt32LE(at + spillLayout.dataLength));
    count += 1;
  }
  if (at !== bytes.length) {
    throw new LamplightError("SOURCE__SNAPSHOT_DAMAGED", {
      archive: file,
      reason: "the partition file is cut off",
    });
  }
  const offsets = new Float64Array(count);
  at = 0;
  for (let index = 0; index < count; index += 1) {
    offsets[index] = at;
    at += spillBytes(bytes.readUInt32LE(at + spillLayout.dataLength));
  }
  return offsets;
};

/**
 * Offsets ascending by address. The 32 bits of the address after those that name the partition and the number of the
 * record make one 64-bit integer, which the engine sorts without calling back; the few that are equal in these bits
 * are compared as a whole.
 */
const sortRecords = (bytes: Buffer, offsets: Float64Array, bits: number): Float64Array => {
  const count = offsets.length;
  const packed = new BigUint64Array(count);
  const words = new Uint32Array(packed.buffer);
  for (let index = 0; index < count; index += 1) {
    const at = (offsets[index] as number) + spillLayout.address;
    words[2 * index] = index;
    words[2 * index + 1] = (bytes.readUInt32BE(at) << bits) | (bytes.readUInt32BE(at + 4) >>> (32 - bits));
  }
  packed.sort();
  const order = new Float64Array(count);
  for (let index = 0; index < count; index += 1) order[index] = offsets[words[2 * index] as number] as number;
  let start = 0;
  while (start < count) {
    let end = start + 1;
    while (end < count && words[2 * end + 1] === words[2 * start + 1]) end += 1;
    if (end > start + 1) order.subarray(start, end).sort((a, b) => compareAddresses(bytes, a, b));
    start = end;
  }
  return order;
};

const addressBytes = 32;

const compareAddresses = (bytes: Buffer, a: number, b: number): number => {
  const [from, to] = [a + spillLayout.address, b + spillLayout.address];
  return bytes.compare(bytes, to, to + addressBytes, from, from + addressBytes);
};

const hasSameAddress = (bytes: Buffer, a: number, b: number): boolean => {
  for (let word = spillLayout.address; word < spillLayout.address + addressBytes; word += 4) {
    if (bytes.readInt32LE(a + word) !== bytes.readInt32LE(b + word)) return false;
  }
  return true;
};

/** Ranks records of one address. */
class Versions {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The winner among the records of an origin, or of both; -1 = there is none. */
  newest(group: Float64Array, origin: Origin | null): number {
    let slot = -1;
    let ofSlot: number[] = [];
    for (const record of group) {
      if (origin !== null && this.#bytes[record + spillLayout.origin] !== origin) continue;
      const recordSlot = this.#bytes.readDoubleLE(record + spillLayout.slot);
      if (recordSlot < slot) continue;
      if (recordSlot > slot) ofSlot = [];
      slot = recordSlot;
      ofSlot.push(record);
    }
    return this.#newestOfSlot(ofSlot);
  }

  /** First the last record of each storage, then the newest storage: two steps, so that the rule stays an order. */
  #newestOfSlot(records: readonly number[]): number {
    const byStorage = new Map<number, number>();
    for (const record of records) {
      const id = this.#bytes.readDoubleLE(record + spillLayout.storageId);
      const known = byStorage.get(id);
      if (known === undefined || this.#offset(record) > this.#offset(known)) byStorage.set(id, record);
    }
    let winner = -1;
    for (const record of byStorage.values())
      if (winner < 0 || this.#isNewerStorage(record, winner)) winner = record;
    return winner;
  }

  #offset(record: number): number {
    return this.#bytes.readDoubleLE(record + spillLayout.offset);
  }

  #isNewerStorage(record: number, other: number): boolean {
    const [a, b] = [record, other].map((one) =>
      this.#bytes.readBigUInt64LE(one + spillLayout.writeVersion),
    ) as [bigint, bigint];
    if (a !== b) return a > b;
    const id = (one: number): number => this.#bytes.readDoubleLE(one + spillLayout.storageId);
    return id(record) > id(other);
  }
}
