import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SPILL_BUFFER_BYTES, SPILL_PARTITIONS } from "./bulk-settings.ts";
import { writeBytes } from "./pages/write-bytes.ts";

/**
 * Sorts rows of one length by their first bytes, through files. Rows with equal keys keep their order.
 */
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

  /** @param rows - one after another; their memory may be used again afterwards */
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
    const file = (this.#files[partition] ??= openSync(this.#fileOf(partition), "w"));
    writeBytes(file, bytes, this.#folder);
    this.#fills[partition] = 0;
  }

  #take(partition: number): Buffer {
    // A buffer that was never full has no file.
    if (this.#files[partition] === null)
      return (this.#buffers[partition] ?? Buffer.alloc(0)).subarray(0, this.#fills[partition]);
    this.#flush(partition);
    return readFileSync(this.#fileOf(partition));
  }

  /**
   * Offsets of the rows in ascending order of their keys. Rows are counted by key, of which few are different where
   * many rows are alike.
   */
  #sorted(bytes: Buffer): Float64Array {
    const [rowBytes, keyBytes] = [this.#rowBytes, this.#keyBytes];
    const rows = bytes.length / rowBytes;
    const numbers = new Map<string, number>();
    const keyOfRow = new Uint32Array(rows);
    const counts: number[] = [];
    for (let row = 0; row < rows; row += 1) {
      const key = bytes.toString("latin1", row * rowBytes, row * rowBytes + keyBytes);
      const number = numbers.get(key) ?? numbers.size;
      if (number === counts.length) {
        numbers.set(key, number);
        counts.push(0);
      }
      keyOfRow[row] = number;
      counts[number] = (counts[number] as number) + 1;
    }
    const next = new Float64Array(counts.length);
    let place = 0;
    // Each letter stands for one byte, so the order of texts is that of the bytes.
    for (const key of [...numbers.keys()].toSorted()) {
      const number = numbers.get(key) as number;
      next[number] = place;
      place += counts[number] as number;
    }
    const sorted = new Float64Array(rows);
    for (let row = 0; row < rows; row += 1) {
      const number = keyOfRow[row] as number;
      sorted[next[number] as number] = row * rowBytes;
      next[number] = (next[number] as number) + 1;
    }
    return sorted;
  }
}
