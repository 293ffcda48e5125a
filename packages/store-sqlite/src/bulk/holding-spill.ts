import type { Connection } from "../engine/connection.ts";
import { HOLDING_KEY_BYTES, HOLDING_ROW_BYTES } from "./holding-row.ts";
import { SortedSpill } from "./sorted-spill.ts";

/** Sorts holdings: they come in the order of token accounts, and their table is sorted by token owner. */
export class HoldingSpill {
  readonly #spill: SortedSpill;

  constructor(folder: string) {
    this.#spill = new SortedSpill(folder, "holdings", HOLDING_ROW_BYTES, HOLDING_KEY_BYTES);
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
        bytes.subarray(at + 64, at + HOLDING_KEY_BYTES),
        bytes[at + HOLDING_KEY_BYTES] as number,
      );
      rows += 1;
    }
    return rows;
  }

  close(): void {
    this.#spill.close();
  }
}
