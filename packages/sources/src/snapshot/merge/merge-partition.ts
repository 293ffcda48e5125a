import { LamplightError } from "@lamplight/errors";
import { INCREMENTAL_ORIGIN, type Origin, spillBytes, spillLayout } from "./partition-record.ts";

/** The newest versions in one partition, sorted. */
export interface MergedPartition {
  /** Offsets of the newest version of each living account, ascending by address. */
  readonly winners: Uint32Array;
  readonly counts: MergeCounts;
  /** Sums of lamports of the winners of everything, and of the full archive alone. */
  readonly lamports: bigint;
  readonly fullLamports: bigint;
}

export interface MergeCounts {
  readonly records: number;
  readonly addresses: number;
  /** Winners with lamports. */
  readonly living: number;
  /** Winners without lamports: the account is closed. */
  readonly tombstones: number;
  /** Bytes of data of the living. */
  readonly dataBytes: number;
}

/** Called for each address with its newest record in each archive; -1 = no record. */
export type VisitWinners = (overall: number, full: number, incremental: number) => void;

/**
 * Finds the winner of every address: its newest version. The highest slot wins. Within a slot and a storage the later
 * record wins; between storages the higher write version, then the higher storage id.
 *
 * @param place - the file names the partition in errors; all addresses of it are equal in their first `bits`
 */
export const mergePartition = (
  bytes: Buffer,
  place: { readonly file: string; readonly bits: number },
  visit: VisitWinners | null,
): MergedPartition => {
  const records = wordsOf(bytes);
  const offsets = findRecords(records, place.file);
  const { order, prefixes } = sortRecords(bytes, records, offsets, place.bits);
  const winners = new Uint32Array(offsets.length);
  const versions = new Versions(bytes);
  let addresses = 0;
  let living = 0;
  let dataBytes = 0;
  const lamports = new LamportSum(records);
  const fullLamports = new LamportSum(records);
  let start = 0;
  while (start < order.length) {
    const first = order[start] as number;
    let end = start + 1;
    let overall = first;
    const isIncremental = bytes[first + spillLayout.origin] === INCREMENTAL_ORIGIN;
    let full = isIncremental ? -1 : first;
    let incremental = isIncremental ? first : -1;
    // Only addresses with the same prefix can be the same.
    while (
      end < order.length &&
      prefixes[end] === prefixes[start] &&
      hasSameAddress(records, first, order[end] as number)
    )
      end += 1;
    if (end > start + 1) {
      const group = order.subarray(start, end);
      overall = versions.newest(group, null);
      full = versions.newest(group, 0);
      incremental = versions.newest(group, 1);
    }
    start = end;
    addresses += 1;
    if (full >= 0) fullLamports.add(full);
    if (lamports.add(overall)) {
      winners[living] = overall;
      living += 1;
      dataBytes += records[(overall + spillLayout.dataLength) >>> 2] as number;
    }
    visit?.(overall, full, incremental);
  }
  return {
    winners: winners.slice(0, living),
    counts: { records: offsets.length, addresses, living, tombstones: addresses - living, dataBytes },
    lamports: lamports.total(),
    fullLamports: fullLamports.total(),
  };
};

/** The same memory as 32-bit words; every record starts at a multiple of four. */
const wordsOf = (bytes: Buffer): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);

/** Sums u64 numbers without creating bigints. Partitions stay far below 2^21 records of 2^32. */
class LamportSum {
  readonly #words: Uint32Array;
  #low = 0;
  #high = 0;

  constructor(words: Uint32Array) {
    this.#words = words;
  }

  /** Whether there was any. */
  add(record: number): boolean {
    const at = (record + spillLayout.lamports) >>> 2;
    const low = this.#words[at] as number;
    const high = this.#words[at + 1] as number;
    this.#low += low;
    this.#high += high;
    return low !== 0 || high !== 0;
  }

  total(): bigint {
    return BigInt(this.#low) + (BigInt(this.#high) << 32n);
  }
}

const findRecords = (words: Uint32Array, file: string): Uint32Array => {
  const size = 4 * words.length;
  // Records are at least as long as their heads.
  const offsets = new Uint32Array(Math.floor(size / spillLayout.data));
  let count = 0;
  let at = 0;
  while (at + spillLayout.data <= size) {
    offsets[count] = at;
    at += spillBytes(words[(at + spillLayout.dataLength) >>> 2] as number);
    count += 1;
  }
  if (at !== size) {
    throw new LamplightError("SOURCE__SNAPSHOT_DAMAGED", {
      archive: file,
      reason: "the partition file is cut off",
    });
  }
  return offsets.slice(0, count);
};

interface SortedRecords {
  /** Offsets ascending by address. */
  readonly order: Uint32Array;
  /** The 32 bits of each address after those that name the partition. */
  readonly prefixes: Uint32Array;
}

/**
 * Sorts 64-bit integers, which the engine does without a callback. The upper half has the 32 bits of the address after
 * those of the partition, the lower half the number of the record. Addresses that are equal in these bits are compared
 * in full.
 */
const sortRecords = (
  bytes: Buffer,
  records: Uint32Array,
  offsets: Uint32Array,
  bits: number,
): SortedRecords => {
  const count = offsets.length;
  const packed = new BigUint64Array(count);
  const words = new Uint32Array(packed.buffer);
  for (let index = 0; index < count; index += 1) {
    const at = ((offsets[index] as number) + spillLayout.address) >>> 2;
    const first = swapped(records[at] as number);
    words[2 * index] = index;
    words[2 * index + 1] = (first << bits) | (swapped(records[at + 1] as number) >>> (32 - bits));
  }
  packed.sort();
  const order = new Uint32Array(count);
  const prefixes = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) {
    order[index] = offsets[words[2 * index] as number] as number;
    prefixes[index] = words[2 * index + 1] as number;
  }
  let start = 0;
  while (start < count) {
    let end = start + 1;
    while (end < count && prefixes[end] === prefixes[start]) end += 1;
    if (end > start + 1) order.subarray(start, end).sort((a, b) => compareAddresses(bytes, a, b));
    start = end;
  }
  return { order, prefixes };
};

/** Reverses four bytes, because addresses are compared from their first byte on. */
const swapped = (value: number): number =>
  ((value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24)) >>> 0;

const ADDRESS_BYTES = 32;

const compareAddresses = (bytes: Buffer, a: number, b: number): number => {
  const [from, to] = [a + spillLayout.address, b + spillLayout.address];
  return bytes.compare(bytes, to, to + ADDRESS_BYTES, from, from + ADDRESS_BYTES);
};

const hasSameAddress = (words: Uint32Array, a: number, b: number): boolean => {
  const from = (a + spillLayout.address) >>> 2;
  const to = (b + spillLayout.address) >>> 2;
  for (let word = 0; word < ADDRESS_BYTES / 4; word += 1)
    if (words[from + word] !== words[to + word]) return false;
  return true;
};

/** Ranks records of one address. */
class Versions {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The newest record in one archive, or in both; -1 = there is none. */
  newest(group: Uint32Array, origin: Origin | null): number {
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

  /**
   * First the last record of each storage, then the newest storage. The rule would not be transitive as one comparison.
   */
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
