import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { LamplightError } from "@lamplight/errors";
import type { Connection } from "../engine/connection.ts";
import { holdingKeyBytes, holdingRowBytes } from "./holding-row.ts";
import { HOLDING_BUFFER_BYTES, HOLDING_PARTITIONS } from "./bulk-settings.ts";

const keyBytes = holdingKeyBytes;
const rowBytes = holdingRowBytes;

/** Holdings come in the order of token accounts and are stored in the order of token owners: sorted through files. */
export class HoldingSpill {
  readonly #folder: string;
  readonly #buffers: Buffer[] = [];
  readonly #fills = new Uint32Array(HOLDING_PARTITIONS);
  readonly #files: (number | null)[] = Array.from({ length: HOLDING_PARTITIONS }, () => null);

  constructor(folder: string) {
    this.#folder = folder;
    for (let partition = 0; partition < HOLDING_PARTITIONS; partition += 1) {
      rmSync(this.#fileOf(partition), { force: true });
      this.#buffers.push(Buffer.allocUnsafe(HOLDING_BUFFER_BYTES));
    }
  }

  /** @param rows - as `writeHolding` packs them */
  add(rows: Uint8Array): void {
    for (let from = 0; from < rows.length; from += rowBytes) {
      const partition = rows[from] as number;
      const buffer = this.#buffers[partition] as Buffer;
      let to = this.#fills[partition] as number;
      if (to + rowBytes > buffer.length) {
        this.#flush(partition);
        to = 0;
      }
      buffer.set(rows.subarray(from, from + rowBytes), to);
      this.#fills[partition] = to + rowBytes;
    }
  }

  /** Inserts everything in the order of the table. Answers the number of rows. */
  insert(connection: Connection): number {
    const insert = connection.prepare(
      "INSERT INTO holding (token_owner, mint, token_account, positive) VALUES (?, ?, ?, ?)",
    );
    let rows = 0;
    for (let partition = 0; partition < HOLDING_PARTITIONS; partition += 1) {
      const bytes = this.#take(partition);
      for (const at of sortedRows(bytes)) {
        insert.run(
          bytes.subarray(at, at + 32),
          bytes.subarray(at + 32, at + 64),
          bytes.subarray(at + 64, at + keyBytes),
          bytes[at + keyBytes] as number,
        );
        rows += 1;
      }
    }
    return rows;
  }

  close(): void {
    for (const [partition, file] of this.#files.entries()) {
      if (file !== null) closeSync(file);
      this.#files[partition] = null;
      rmSync(this.#fileOf(partition), { force: true });
    }
  }

  #fileOf(partition: number): string {
    return join(this.#folder, `holdings-${partition}`);
  }

  #flush(partition: number): void {
    const file = (this.#files[partition] ??= openSync(this.#fileOf(partition), "w"));
    const bytes = (this.#buffers[partition] as Buffer).subarray(0, this.#fills[partition]);
    try {
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
    if (this.#files[partition] === null) {
      return (this.#buffers[partition] as Buffer).subarray(0, this.#fills[partition]);
    }
    this.#flush(partition);
    return readFileSync(this.#fileOf(partition));
  }
}

const sortedRows = (bytes: Buffer): Float64Array =>
  Float64Array.from({ length: bytes.length / rowBytes }, (_, index) => index * rowBytes).toSorted((a, b) =>
    bytes.compare(bytes, b, b + keyBytes, a, a + keyBytes),
  );
