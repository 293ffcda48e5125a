import { DatabaseSync } from "node:sqlite";
import { type BytesEach, bytesEach, type TableBytes } from "./stored-bytes.ts";

/** Bytes in a store file, by the pages of each table and its indexes. */
export const measureSqlite = (file: string): BytesEach => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.exec("CREATE VIRTUAL TABLE temp.pages USING dbstat(main)");
    const tables = database
      .prepare(
        `SELECT tbl_name AS "table", sum(pgsize) AS bytes
         FROM (SELECT name, pgsize FROM temp.pages WHERE aggregate = TRUE) JOIN sqlite_schema USING (name)
         GROUP BY tbl_name`,
      )
      .all() as unknown as readonly TableBytes[];
    const count = (table: string): number =>
      Number(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()!["rows"]);
    return bytesEach(tables, {
      account: count("account"),
      asset: count("asset"),
      holding: count("holding"),
    });
  } finally {
    database.close();
  }
};
