import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { brokenInvariant, diskError, LamplightError } from "@lamplight/errors";
import { SPILL_BUFFER_BYTES_MAX, SPILL_BUFFERS_BYTES, SPILL_FILE_BYTES_MAX } from "./limits.ts";

/** The partition of an address: its first `bits`, so that ascending partitions are ascending addresses. */
export const partitionOfAddress = (address: Uint8Array, at: number, bits: number): number =>
  (((address[at] as number) << 8) | (address[at + 1] as number)) >>> (16 - bits);

const fileName = (stage: string, writer: string, partition: number): string =>
  `${stage}-${String(partition).padStart(5, "0")}-${writer}`;

/** Appends records to one file per partition. Several writers, in several threads, each have files of their own. */
export class SpillWriter {
  readonly #folder: string;
  readonly #stage: string;
  readonly #writer: string;
  readonly #bufferBytes: number;
  readonly #buffers: (Buffer | null)[];
  readonly #fills: Uint32Array;

  /** @param writer - a name that no other writer of the stage has */
  constructor(folder: string, stage: string, writer: string, bits: number) {
    this.#folder = folder;
    this.#stage = stage;
    this.#writer = writer;
    this.#bufferBytes = Math.min(SPILL_BUFFER_BYTES_MAX, SPILL_BUFFERS_BYTES / 2 ** bits);
    this.#buffers = Array.from({ length: 2 ** bits }, () => null);
    this.#fills = new Uint32Array(2 ** bits);
  }

  /** Space for a record, from `at` on. Write all of it before the next call: it may contain old bytes. */
  reserve(partition: number, length: number): { readonly buffer: Buffer; readonly at: number } {
    let buffer = this.#buffers[partition] ?? null;
    let at = this.#fills[partition] as number;
    if (buffer === null || at + length > buffer.length) {
      this.#flush(partition);
      at = 0;
      if (buffer === null || length > buffer.length)
        buffer = Buffer.allocUnsafeSlow(Math.max(length, this.#bufferBytes));
      this.#buffers[partition] = buffer;
    }
    this.#fills[partition] = at + length;
    return { buffer, at };
  }

  /** Everything is in the files when this returns; the writer is done. */
  close(): void {
    for (const partition of this.#buffers.keys()) {
      this.#flush(partition);
      this.#buffers[partition] = null;
    }
  }

  /** Opens the file for each write: writers of many partitions would have thousands open. */
  #flush(partition: number): void {
    const buffer = this.#buffers[partition] ?? null;
    const length = this.#fills[partition] as number;
    if (buffer === null || length === 0) return;
    const path = join(this.#folder, fileName(this.#stage, this.#writer, partition));
    try {
      appendFileSync(path, buffer.subarray(0, length));
    } catch (error) {
      throw diskError(error, path);
    }
    this.#fills[partition] = 0;
  }
}

/** Reads the records of all writers of a stage for one partition: one buffer for each file. */
export const readSpills = (
  place: { readonly folder: string; readonly writers: readonly string[] },
  stage: string,
  partition: number,
): readonly Buffer[] =>
  place.writers
    .map((writer) => join(place.folder, fileName(stage, writer, partition)))
    .filter((path) => existsSync(path))
    .map(readWhole);

const readWhole = (path: string): Buffer => {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size > SPILL_FILE_BYTES_MAX)
      throw brokenInvariant(`${path} has ${size} bytes, too many to derive in memory`);
    // This memory is not from the pool, because records are views into it.
    const bytes = Buffer.allocUnsafeSlow(size);
    for (let done = 0; done < size;) {
      const read = readSync(file, bytes, done, size - done, done);
      if (read === 0)
        throw new LamplightError("STORE__CORRUPT", {
          store: path,
          reason: "the file became shorter while it was read",
        });
      done += read;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
};
