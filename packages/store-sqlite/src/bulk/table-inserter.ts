import type { SQLInputValue } from "node:sqlite";
import type { Connection, Statement } from "../engine/connection.ts";
import { BULK_STATEMENT_CELLS } from "./bulk-settings.ts";
import { cellKinds, type PackedRows } from "./packed-rows.ts";

/** Inserts packed rows into one table, many per statement. */
export class TableInserter {
  readonly #columns: number;
  readonly #many: Statement;
  readonly #one: Statement;
  readonly #values: SQLInputValue[];

  /** @param columns - with their types: texts come as bytes, which the engine takes as the types given */
  constructor(connection: Connection, table: string, columns: Readonly<Record<string, "text" | "other">>) {
    const names = Object.keys(columns);
    this.#columns = names.length;
    const row = `(${Object.values(columns)
      .map((type) => (type === "text" ? "CAST(? AS TEXT)" : "?"))
      .join(", ")})`;
    const rows = Math.max(1, Math.floor(BULK_STATEMENT_CELLS / names.length));
    const prepare = (count: number): Statement =>
      connection.prepare(
        `INSERT INTO ${table} (${names.join(", ")}) VALUES ${Array.from({ length: count }, () => row).join(", ")}`,
      );
    this.#many = prepare(rows);
    this.#one = prepare(1);
    this.#values = Array.from({ length: rows * names.length }, () => null);
  }

  /** @param firstOrdinal - of the page */
  insert(packed: PackedRows, firstOrdinal: number): void {
    const values = this.#values;
    let filled = 0;
    for (let cell = 0; cell < packed.cells; cell += 1) {
      values[filled] = valueOf(packed, cell, firstOrdinal);
      filled += 1;
      if (filled < values.length) continue;
      this.#many.run(...values);
      filled = 0;
    }
    for (let at = 0; at < filled; at += this.#columns) this.#one.run(...values.slice(at, at + this.#columns));
  }
}

const valueOf = (packed: PackedRows, cell: number, firstOrdinal: number): SQLInputValue => {
  const number = packed.numbers[cell] as number;
  switch (packed.kinds[cell]) {
    case cellKinds.number:
      return number;
    case cellKinds.bigint:
      return packed.bigints[cell] as bigint;
    case cellKinds.ordinal:
      return firstOrdinal + number;
    case cellKinds.bytes:
      return packed.bytes.subarray(number, number + (packed.lengths[cell] as number));
    default:
      return null;
  }
};
