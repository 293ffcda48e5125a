import type { Connection } from "../engine/connection.ts";
import { holdingKeyBytes, holdingRowBytes } from "./holding-row.ts";
import { SortedSpill } from "./sorted-spill.ts";

/** Sorts holdings: they come in the order of token accounts, and their table is sorted by token owner. */
export class HoldingSpill {
  readonly #spill: SortedSpill;

  constructor(folder: string) {
    this.#spill = new SortedSpill(folder, "holdings", holdingRowBytes, holdingKeyBytes);
  }

  /** @param rows - as `writeHolding` packs them */
  add(rows: Uint8Array): void {
    this.#spill.add(rows);
  }

  /** Inserts everything in the order of the table. Answers the number of rows. */
  insert(connection: Connection): number {
    const insert = connection.prepare(
      "INSERT INTO holding (token_owner, mint, token_account, positive) VALUES (?, ?, ?, ?)",
    );
    let rows = 0;
    for (const [bytes, at] of this.#spill.rows()) {
      insert.run(
        bytes.subarray(at, at + 32),
        bytes.subarray(at + 32, at + 64),
        bytes.subarray(at + 64, at + holdingKeyBytes),
        bytes[at + holdingKeyBytes] as number,
      );
      rows += 1;
    }
    return rows;
  }

  close(): void {
    this.#spill.close();
  }
}
