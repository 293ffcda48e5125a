import { copyStore, openStoreExport, openStoreImport } from "@lamplight/runtime";
import { Client } from "pg";
import { type BytesEach, bytesEach } from "./stored-bytes.ts";

/** Bytes of the same store in PostgreSQL, by the files of each table, its indexes and its long values. */
export const measurePostgres = async (file: string, url: string): Promise<BytesEach> => {
  await copyStore(await openStoreExport(`sqlite:${file}`), await openStoreImport(url, true));
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ table: string; bytes: string }>(
      `SELECT relname AS "table", pg_total_relation_size(oid) AS bytes
       FROM pg_class WHERE relkind = 'r' AND relnamespace = 'lamplight'::regnamespace`,
    );
    const count = async (table: string): Promise<number> => {
      const { rows } = await client.query<{ rows: string }>(
        `SELECT count(*) AS rows FROM lamplight.${table}`,
      );
      return Number(rows[0]!.rows);
    };
    return bytesEach(
      tables.map(({ table, bytes }) => ({ table, bytes: Number(bytes) })),
      { account: await count("account"), asset: await count("asset"), holding: await count("holding") },
    );
  } finally {
    await client.end();
  }
};
