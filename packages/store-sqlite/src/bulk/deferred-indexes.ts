import type { Connection } from "../engine/connection.ts";

/** Secondary indexes of tables that a load fills, taken away to be built once, over sorted rows, when these are in. */
export interface DeferredIndexes {
  /**
   * Builds those that are missing yet; `onIndex` is called before each. If `tables` are named, it builds only theirs.
   */
  build(connection: Connection, onIndex?: (name: string) => void, tables?: readonly string[]): void;
}

/** Tables that stay empty keep their indexes. */
const keptTables = ["offchain"];
/** Filled next to their table: see `DelegateIndexes`. */
const filledIndexes = ["account_delegate", "account_delegate_mint"];

export const deferIndexes = (connection: Connection): DeferredIndexes => {
  let missing = connection
    .prepare(
      "SELECT name, sql, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name",
    )
    .all()
    .map((row) => ({ name: String(row[0]), sql: String(row[1]), table: String(row[2]) }))
    .filter(({ name, table }) => !keptTables.includes(table) && !filledIndexes.includes(name));
  for (const { name } of missing) connection.execute(`DROP INDEX ${name}`);
  return {
    build: (target, onIndex = () => {}, tables) => {
      for (const { name, sql, table } of missing) {
        if (tables?.includes(table) === false) continue;
        onIndex(name);
        target.execute(sql);
      }
      missing = tables === undefined ? [] : missing.filter(({ table }) => !tables.includes(table));
    },
  };
};
