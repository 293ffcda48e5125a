import { closeSync, fdatasyncSync, ftruncateSync, fstatSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { LamplightError } from "@lamplight/errors";
import { PARTITION_BUFFERS_BYTES } from "../snapshot-limits.ts";
import { type Origin, partitionOf, spillBytes, spillLayout } from "./partition-record.ts";

export const partitionFile = (folder: string, partition: number): string =>
  join(folder, `partition-${String(partition).padStart(4, "0")}`);

/** Spreads records over partition files by the first bits of their addresses. */
export class PartitionWriter {
  readonly #folder: string;
  readonly #bits: number;
  readonly #files: number[] = [];
  readonly #buffers: Buffer[] = [];
  readonly #fills: Uint32Array;
  readonly #lengths: Float64Array;

  /**
   * @param lengths - bytes of each file that count; what a broken run left behind them is cut off
   */
  constructor(folder: string, bits: number, lengths: readonly number[] | null) {
    const count = 2 ** bits;
    this.#folder = folder;
    this.#bits = bits;
    this.#fills = new Uint32Array(count);
    this.#lengths = Float64Array.from({ length: count }, (_, partition) => lengths?.[partition] ?? 0);
    const bufferBytes = Math.max(16 * 1024, Math.min(256 * 1024, PARTITION_BUFFERS_BYTES / count));
    for (let partition = 0; partition < count; partition += 1) {
      const file = openSync(partitionFile(folder, partition), "a+");
      this.#files.push(file);
      ftruncateSync(file, this.#lengths[partition]);
      this.#buffers.push(Buffer.allocUnsafe(bufferBytes));
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
    const partition = partitionOf(bytes.readUInt16BE(at + spillLayout.address), this.#bits);
    const keptBytes = isBare ? 0 : dataLength;
    const length = spillBytes(keptBytes);
    let buffer = this.#buffers[partition] as Buffer;
    let to = this.#fills[partition] as number;
    if (to + length > buffer.length) {
      this.#flush(partition);
      to = 0;
      if (length > buffer.length) buffer = Buffer.allocUnsafe(length);
    }
    bytes.copy(buffer, to, at, at + spillLayout.data + keptBytes);
    const view = new DataView(buffer.buffer, buffer.byteOffset + to, length);
    // The executable byte with the padding behind it.
    view.setUint32(spillLayout.executable, buffer[to + spillLayout.executable] as number, true);
    view.setUint32(spillLayout.executable + 4, 0, true);
    view.setFloat64(spillLayout.slot, place.slot, true);
    view.setFloat64(spillLayout.storageId, place.id, true);
    view.setFloat64(spillLayout.offset, place.offset, true);
    view.setUint32(spillLayout.origin, place.origin | (isBare ? 1 << 8 : 0), true);
    view.setUint32(spillLayout.origin + 4, 0, true);
    for (let index = spillLayout.data + keptBytes; index < length; index += 1) view.setUint8(index, 0);
    if (isBare) view.setUint32(spillLayout.dataLength, 0, true);
    if (buffer === this.#buffers[partition]) this.#fills[partition] = to + length;
    else this.#write(partition, buffer);
  }

  /** Everything is on the disk when this returns. Answers the bytes of each file. */
  sync(): readonly number[] {
    for (const [partition, file] of this.#files.entries()) {
      this.#flush(partition);
      try {
        fdatasyncSync(file);
      } catch (error) {
        throw diskError(error, this.#folder);
      }
    }
    return [...this.#lengths];
  }

  close(): void {
    for (const file of this.#files.splice(0)) closeSync(file);
  }

  #flush(partition: number): void {
    const fill = this.#fills[partition] as number;
    if (fill === 0) return;
    this.#write(partition, (this.#buffers[partition] as Buffer).subarray(0, fill));
    this.#fills[partition] = 0;
  }

  #write(partition: number, bytes: Buffer): void {
    try {
      for (let done = 0; done < bytes.length;) {
        done += writeSync(this.#files[partition] as number, bytes, done);
      }
    } catch (error) {
      throw diskError(error, this.#folder);
    }
    this.#lengths[partition] = (this.#lengths[partition] as number) + bytes.length;
  }
}

/** A full disk by its name; anything else as it is. */
export const diskError = (error: unknown, place: string): unknown =>
  error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT")
    ? new LamplightError("STORE__FULL", { store: place }, { cause: error })
    : error;

/** Whether the files are all there with at least these lengths. */
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
