import type { Connection } from "../engine/connection.ts";

/** Secondary indexes of tables that a load fills, taken away to be built once, over sorted rows, at the end. */
export interface DeferredIndexes {
  /** Builds them again; `onIndex` is called before each. */
  build(connection: Connection, onIndex: (name: string) => void): void;
}

/** Needed while assets are derived, or of tables that stay empty. */
const keptTables = ["offchain"];

export const deferIndexes = (connection: Connection): DeferredIndexes => {
  const rows = connection
    .prepare(
      "SELECT name, sql, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name",
    )
    .all()
    .map((row) => ({ name: String(row[0]), sql: String(row[1]), table: String(row[2]) }))
    .filter(({ table }) => !keptTables.includes(table));
  for (const { name } of rows) connection.execute(`DROP INDEX ${name}`);
  return {
    build: (target, onIndex) => {
      for (const { name, sql } of rows) {
        onIndex(name);
        target.execute(sql);
      }
    },
  };
};
