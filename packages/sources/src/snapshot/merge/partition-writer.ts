import { closeSync, fdatasync, ftruncateSync, fstatSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { diskError, LamplightError } from "@lamplight/errors";
import { PARTITION_BUFFERS_BYTES, partitionBytesMax } from "../snapshot-limits.ts";
import { type Origin, partitionOf, spillBytes, spillLayout } from "./partition-record.ts";

const syncFile = promisify(fdatasync);

export const partitionFile = (folder: string, partition: number): string =>
  join(folder, `partition-${String(partition).padStart(4, "0")}`);

/** Memory in which records are built, with views of it as numbers. Views per record would cost too much. */
class RecordBuffer {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
  readonly floats: Float64Array;
  fill = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
    this.words = new Uint32Array(this.bytes.buffer, 0, size >>> 2);
    this.floats = new Float64Array(this.bytes.buffer, 0, size >>> 3);
  }
}

/** Up to so many bytes, copying word by word is faster than a call into the engine. */
const WORDWISE_BYTES_MAX = 1024;

/** Places of numbers in a record, counted in words of four and of eight bytes. */
const word = {
  dataLength: spillLayout.dataLength / 4,
  executable: spillLayout.executable / 4,
  origin: spillLayout.origin / 4,
} as const;
const float = {
  slot: spillLayout.slot / 8,
  storageId: spillLayout.storageId / 8,
  offset: spillLayout.offset / 8,
} as const;

/** Writes records into partition files by the first bits of their addresses. */
export class PartitionWriter {
  readonly #folder: string;
  readonly #bits: number;
  readonly #files: number[] = [];
  readonly #buffers: RecordBuffer[] = [];
  readonly #lengths: Float64Array;
  /** The memory that contains the records; many records share it. */
  #sourceWords: Uint32Array = new Uint32Array(0);

  /**
   * @param lengths - valid bytes of each file; what an interrupted run wrote after them is cut off
   */
  constructor(folder: string, bits: number, lengths: readonly number[] | null) {
    const count = 2 ** bits;
    this.#folder = folder;
    this.#bits = bits;
    this.#lengths = Float64Array.from({ length: count }, (_, partition) => lengths?.[partition] ?? 0);
    const bufferBytes = Math.max(16 * 1024, Math.min(256 * 1024, PARTITION_BUFFERS_BYTES / count));
    try {
      for (let partition = 0; partition < count; partition += 1) {
        const file = openSync(partitionFile(folder, partition), "a+");
        this.#files.push(file);
        ftruncateSync(file, this.#lengths[partition]);
        this.#buffers.push(new RecordBuffer(bufferBytes));
      }
    } catch (error) {
      this.close();
      throw diskError(error, folder);
    }
  }

  /** @param isBare - leaves the data out */
  add(
    bytes: Buffer,
    at: number,
    dataLength: number,
    place: { readonly slot: number; readonly id: number; readonly offset: number; readonly origin: Origin },
    isBare: boolean,
  ): void {
    const addressAt = at + spillLayout.address;
    const firstTwo = ((bytes[addressAt] as number) << 8) | (bytes[addressAt + 1] as number);
    const partition = partitionOf(firstTwo, this.#bits);
    const keptBytes = isBare ? 0 : dataLength;
    const length = spillBytes(keptBytes);
    let buffer = this.#buffers[partition] as RecordBuffer;
    if (buffer.fill + length > buffer.bytes.length) {
      this.#flush(partition);
      if (length > buffer.bytes.length) buffer = new RecordBuffer(length);
    }
    const to = buffer.fill;
    const words = to >>> 2;
    // Padding bytes may have any value.
    buffer.words[words + (length >>> 2) - 2] = 0;
    buffer.words[words + (length >>> 2) - 1] = 0;
    this.#copy(bytes, at, spillLayout.data + keptBytes, buffer);
    const floats = to >>> 3;
    // The executable byte with the padding behind it.
    buffer.words[words + word.executable] = buffer.bytes[to + spillLayout.executable] as number;
    buffer.words[words + word.executable + 1] = 0;
    buffer.floats[floats + float.slot] = place.slot;
    buffer.floats[floats + float.storageId] = place.id;
    buffer.floats[floats + float.offset] = place.offset;
    buffer.words[words + word.origin] = place.origin | (isBare ? 1 << 8 : 0);
    buffer.words[words + word.origin + 1] = 0;
    if (isBare) buffer.words[words + word.dataLength] = 0;
    buffer.fill = to + length;
    if (buffer !== this.#buffers[partition]) this.#write(partition, buffer.bytes);
  }

  /** Offset up to which the buffer is filled. */
  #copy(bytes: Buffer, at: number, length: number, { bytes: to, words, fill }: RecordBuffer): void {
    const start = bytes.byteOffset + at;
    if (length > WORDWISE_BYTES_MAX || (start & 3) !== 0) {
      bytes.copy(to, fill, at, at + length);
      return;
    }
    if (this.#sourceWords.buffer !== bytes.buffer)
      this.#sourceWords = new Uint32Array(bytes.buffer, 0, bytes.buffer.byteLength >>> 2);
    const source = this.#sourceWords;
    const [from, first, count] = [start >>> 2, fill >>> 2, length >>> 2];
    for (let index = 0; index < count; index += 1) words[first + index] = source[from + index] as number;
    for (let index = length & ~3; index < length; index += 1) to[fill + index] = bytes[at + index] as number;
  }

  /** Writes what is buffered. Returns the bytes of each file. */
  flush(): readonly number[] {
    for (const partition of this.#files.keys()) this.#flush(partition);
    return [...this.#lengths];
  }

  /** Waits until everything that was flushed is on the disk. */
  async sync(): Promise<void> {
    try {
      await Promise.all(this.#files.map((file) => syncFile(file)));
    } catch (error) {
      throw diskError(error, this.#folder);
    }
  }

  close(): void {
    for (const file of this.#files.splice(0)) closeSync(file);
  }

  #flush(partition: number): void {
    const buffer = this.#buffers[partition] as RecordBuffer;
    if (buffer.fill === 0) return;
    this.#write(partition, buffer.bytes.subarray(0, buffer.fill));
    buffer.fill = 0;
  }

  #write(partition: number, bytes: Buffer): void {
    const length = (this.#lengths[partition] as number) + bytes.length;
    assertMergeable(partitionFile(this.#folder, partition), length);
    try {
      for (let done = 0; done < bytes.length;) {
        done += writeSync(this.#files[partition] as number, bytes, done);
      }
    } catch (error) {
      throw diskError(error, this.#folder);
    }
    this.#lengths[partition] = length;
  }
}

/** @throws LamplightError `SOURCE__SNAPSHOT_REFUSED` where a partition is too large to be merged in memory */
export const assertMergeable = (file: string, length: number): void => {
  const bytesMax = partitionBytesMax();
  if (length <= bytesMax) return;
  const reason = `more than ${bytesMax} bytes of accounts belong into one partition, which is merged in memory; use a machine with more, or set LAMPLIGHT_MEMORY_BYTES`;
  throw new LamplightError("SOURCE__SNAPSHOT_REFUSED", { archive: file, reason });
};

/** Whether all files exist with at least these lengths. */
export const arePartitionsThere = (folder: string, lengths: readonly number[]): boolean =>
  lengths.every((length, partition) => {
    try {
      const file = openSync(partitionFile(folder, partition), "r");
      const { size } = fstatSync(file);
      closeSync(file);
      return size >= length;
    } catch {
      return false;
    }
  });
