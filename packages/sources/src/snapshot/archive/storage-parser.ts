import { ACCOUNT_DATA_LIMIT_BYTES } from "../snapshot-limits.ts";
import { damaged } from "./archive-fault.ts";

/** Layout of a stored account; records begin at multiples of eight. */
const recordLayout = {
  writeVersion: 0,
  dataLength: 8,
  address: 16,
  lamports: 48,
  rentEpoch: 56,
  programOwner: 64,
  executable: 96,
  /** Seven bytes with arbitrary values in real files. */
  padding: 97,
  /** Real up to 1.18, zero later. */
  hash: 104,
  data: 136,
} as const;

/**
 * Takes one record: its bytes begin at `at` and end after its data. Valid during the call only.
 *
 * @param offset - of the record within its storage
 */
export type TakeRecord = (bytes: Buffer, at: number, dataLength: number, offset: number) => void;

/** Parses one account storage in chunks. */
export class StorageParser {
  readonly #valid: number;
  readonly #isLengthKnown: boolean;
  readonly #take: TakeRecord;
  /** Offset of the next record in the storage. */
  #next = 0;
  /** Offset of the next byte to write. */
  #position = 0;
  #done = false;
  /** A record that continues in the next chunk. */
  #carry = Buffer.alloc(4096);
  #carried = 0;

  /**
   * @param validBytes - bytes after these are stale
   * @param isLengthKnown - the manifest promised these bytes, so that none may be left over
   */
  constructor(validBytes: number, isLengthKnown: boolean, take: TakeRecord) {
    this.#valid = validBytes;
    this.#isLengthKnown = isLengthKnown;
    this.#take = take;
  }

  /** @throws ArchiveFault with the offset within the storage */
  write(chunk: Buffer): void {
    const start = this.#position;
    this.#position += chunk.length;
    if (this.#done || start >= this.#valid) return;
    const bytes = this.#position > this.#valid ? chunk.subarray(0, this.#valid - start) : chunk;
    let at = this.#carried > 0 ? this.#finishCarried(bytes) : this.#next - start;
    while (!this.#done && at < bytes.length) {
      const end = this.#endOfRecord(bytes, at, bytes.length - at);
      if (end === null) {
        this.#keep(bytes, at);
        return;
      }
      this.#emit(bytes, at, end);
      at = this.#next - start;
    }
  }

  end(): void {
    if (this.#done || this.#carried === 0) return;
    if (this.#isLengthKnown) throw damaged("the storage ends in the middle of an account", this.#next);
  }

  /** Completes the carried record from the start of `bytes`. Returns the offset of the next one. */
  #finishCarried(bytes: Buffer): number {
    let used = 0;
    for (;;) {
      const end = this.#endOfRecord(this.#carry, 0, this.#carried);
      if (end !== null) {
        const start = this.#next;
        this.#carried = 0;
        this.#emit(this.#carry, 0, end);
        // The padding after the record may extend into the next bytes.
        return used + (this.#next - start - end);
      }
      if (used === bytes.length) return used;
      const needed = this.#bytesNeeded();
      if (this.#carry.length < needed) {
        const larger = Buffer.alloc(needed);
        this.#carry.copy(larger, 0, 0, this.#carried);
        this.#carry = larger;
      }
      const copied = bytes.copy(this.#carry, this.#carried, used, used + needed - this.#carried);
      this.#carried += copied;
      used += copied;
    }
  }

  #bytesNeeded(): number {
    if (this.#carried < recordLayout.data) return recordLayout.data;
    return recordLayout.data + this.#carry.readUInt32LE(recordLayout.dataLength);
  }

  #keep(bytes: Buffer, at: number): void {
    const rest = bytes.length - at;
    if (this.#carry.length < rest) this.#carry = Buffer.alloc(rest);
    bytes.copy(this.#carry, 0, at);
    this.#carried = rest;
  }

  /** Bytes of the record at `at` without padding; null when it is incomplete. A zeroed tail ends the storage. */
  #endOfRecord(bytes: Buffer, at: number, available: number): number | null {
    if (available < recordLayout.data) return null;
    const dataLength = bytes.readUInt32LE(at + recordLayout.dataLength);
    const high = bytes.readUInt32LE(at + recordLayout.dataLength + 4);
    if (isZeroTail(bytes, at)) {
      this.#done = true;
      this.#carried = 0;
      return 0;
    }
    if (high !== 0 || dataLength > ACCOUNT_DATA_LIMIT_BYTES) {
      throw damaged(`an account has ${high * 2 ** 32 + dataLength} bytes of data`, this.#next);
    }
    const executable = bytes[at + recordLayout.executable] as number;
    if (executable > 1) throw damaged(`an account has the executable byte ${executable}`, this.#next);
    const length = recordLayout.data + dataLength;
    return available < length ? null : length;
  }

  #emit(bytes: Buffer, at: number, length: number): void {
    if (this.#done) return;
    this.#take(bytes, at, length - recordLayout.data, this.#next);
    this.#next += (length + 7) & ~7;
  }
}

/** No lamports and no address: the rest was never written. */
const isZeroTail = (bytes: Buffer, at: number): boolean => {
  // The lamports follow the address.
  for (let word = 0; word < 40; word += 4) {
    if (bytes.readUInt32LE(at + recordLayout.address + word) !== 0) return false;
  }
  return true;
};
