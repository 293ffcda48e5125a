import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { LamplightError } from "@lamplight/errors";
import { SPILL_BUFFER_BYTES, SPILL_PARTITIONS } from "./bulk-settings.ts";

/** Rows of one length that come in any order and are stored in that of their first bytes: sorted through files. */
export class SortedSpill {
  readonly #folder: string;
  readonly #name: string;
  readonly #rowBytes: number;
  readonly #keyBytes: number;
  /** One per first byte; made when the first row comes. */
  readonly #buffers: (Buffer | null)[] = Array.from({ length: SPILL_PARTITIONS }, () => null);
  readonly #fills = new Uint32Array(SPILL_PARTITIONS);
  readonly #files: (number | null)[] = Array.from({ length: SPILL_PARTITIONS }, () => null);

  /** @param keyBytes - the leading bytes of a row that it is sorted by */
  constructor(folder: string, name: string, rowBytes: number, keyBytes: number) {
    this.#folder = folder;
    this.#name = name;
    this.#rowBytes = rowBytes;
    this.#keyBytes = keyBytes;
    for (let partition = 0; partition < SPILL_PARTITIONS; partition += 1)
      rmSync(this.#fileOf(partition), { force: true });
  }

  /** @param rows - side by side; they may be gone when this returns */
  add(rows: Uint8Array): void {
    const rowBytes = this.#rowBytes;
    for (let from = 0; from < rows.length; from += rowBytes) {
      const partition = rows[from] as number;
      const buffer = (this.#buffers[partition] ??= Buffer.allocUnsafe(SPILL_BUFFER_BYTES));
      let to = this.#fills[partition] as number;
      if (to + rowBytes > buffer.length) {
        this.#flush(partition);
        to = 0;
      }
      buffer.set(rows.subarray(from, from + rowBytes), to);
      this.#fills[partition] = to + rowBytes;
    }
  }

  /** Everything, ascending: a buffer, and where the row begins in it. */
  *rows(): Generator<readonly [Buffer, number], void> {
    for (let partition = 0; partition < SPILL_PARTITIONS; partition += 1) {
      const bytes = this.#take(partition);
      for (const at of this.#sorted(bytes)) yield [bytes, at];
    }
  }

  close(): void {
    for (const [partition, file] of this.#files.entries()) {
      if (file !== null) closeSync(file);
      this.#files[partition] = null;
      rmSync(this.#fileOf(partition), { force: true });
    }
  }

  #fileOf(partition: number): string {
    return join(this.#folder, `${this.#name}-${partition}`);
  }

  #flush(partition: number): void {
    const bytes = (this.#buffers[partition] as Buffer).subarray(0, this.#fills[partition]);
    try {
      const file = (this.#files[partition] ??= openSync(this.#fileOf(partition), "w"));
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOSPC")
        throw new LamplightError("STORE__FULL", { store: this.#folder }, { cause: error });
      throw error;
    }
    this.#fills[partition] = 0;
  }

  #take(partition: number): Buffer {
    // What never filled its buffer has no file.
    if (this.#files[partition] === null)
      return (this.#buffers[partition] ?? Buffer.alloc(0)).subarray(0, this.#fills[partition]);
    this.#flush(partition);
    return readFileSync(this.#fileOf(partition));
  }

  #sorted(bytes: Buffer): Float64Array {
    const keyBytes = this.#keyBytes;
    return Float64Array.from(
      { length: bytes.length / this.#rowBytes },
      (_, index) => index * this.#rowBytes,
    ).toSorted((a, b) => bytes.compare(bytes, b, b + keyBytes, a, a + keyBytes));
  }
}
