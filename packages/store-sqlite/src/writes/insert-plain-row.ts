import { type PlainTable, rowCodec } from "@lamplight/core";
import { columnForms } from "../columns/asset-row.ts";
import type { Connection } from "../engine/connection.ts";

/**
 * Inserts rows of a table that keeps them as they are.
 *
 * @param conflict - what follows, such as `ON CONFLICT …`
 */
export const prepareInsert = <Row>(
  connection: Connection,
  { name, columns }: PlainTable<Row>,
  verb: "INSERT" | "INSERT OR IGNORE" | "INSERT OR REPLACE" = "INSERT",
  conflict: string = "",
): ((row: Row) => void) => {
  const names = Object.values<{ readonly name: string }>(columns).map((column) => column.name);
  const { encode } = rowCodec(columns, columnForms);
  const statement = connection.prepare(
    `${verb} INTO ${name} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")}) ${conflict}`,
  );
  return (row) => {
    statement.run(...encode(row));
  };
};
