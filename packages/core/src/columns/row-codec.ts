import type { Cell, Column, ColumnForms } from "./column.ts";

/** The column of each member of a row. */
export type RowColumns<Row> = { readonly [Member in keyof Row]-?: Column<Row[Member]> };

/** Turns a row into cells in the order of its columns, and back. */
export interface RowCodec<Row, Flag, Text> {
  encode(row: Row): Cell<Flag, Text>[];
  /** @param cells - those of the row and maybe others behind them */
  decode(cells: readonly unknown[]): Row;
}

export const rowCodec = <Row, Flag, Text>(
  columns: RowColumns<Row>,
  forms: ColumnForms<Flag, Text>,
): RowCodec<Row, Flag, Text> => {
  const members = Object.keys(columns) as (keyof Row)[];
  return {
    encode: (row) => members.map((member) => columns[member].encode(row[member], forms)),
    decode: (cells) => {
      const row: Partial<Row> = {};
      let at = 0;
      for (const member of members) row[member] = columns[member].decode(cells[at++], forms);
      return row as Row;
    },
  };
};
