import { type Column, type PlainTable, rowCodec } from "@lamplight/core";
import type { Element, ElementType } from "../engine/array-parameter.ts";
import { columnForms, columnsOf } from "./asset-row.ts";

/** How statements write the rows of a table that keeps them as they are. */
export interface PlainRows<Row> {
  readonly columns: readonly (readonly [name: string, type: ElementType])[];
  /** Values in the order of `columns`. */
  readonly values: (row: Row) => Element[];
}

export const plainRows = <Row>({ columns }: PlainTable<Row>): PlainRows<Row> => ({
  columns: columnsOf(Object.values(columns) as readonly Column<unknown>[]),
  values: rowCodec(columns, columnForms).encode,
});
