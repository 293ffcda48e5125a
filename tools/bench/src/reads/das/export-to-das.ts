import type { Asset } from "@lamplight/core";
import { openSqliteExport } from "@lamplight/store-sqlite";
import { Client } from "pg";
import { copyRows } from "../copy-rows.ts";
import { coreCollections, withInherited } from "./core-members.ts";
import { dasRowsOf } from "./das-rows.ts";
import { type DasRow, type DasTable, dasTableNames, dasTables } from "./das-tables.ts";

const ROWS_IN_MEMORY = 20_000;

/**
 * Fills das_api's tables with the assets of a store, and lets PostgreSQL analyze them.
 *
 * @param url - of a database whose tables das_api's own migrations have made, and which are empty
 * @returns how many assets
 */
export const exportToDas = async (storeFile: string, url: string): Promise<number> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const store = openSqliteExport(storeFile);
  let assets = 0;
  let pending: Asset[] = [];
  try {
    const collections = await coreCollections(storeFile);
    for await (const page of store.pages("assets")) {
      pending.push(...page.map((asset) => withInherited(asset, collections)));
      assets += page.length;
      if (pending.length >= ROWS_IN_MEMORY) await copyAssets(client, pending.splice(0));
    }
    await copyAssets(client, pending);
    await client.query(`ANALYZE ${dasTableNames.join(", ")}`);
    return assets;
  } finally {
    await store.close();
    await client.end();
  }
};

const copyAssets = async (client: Client, assets: readonly Asset[]): Promise<void> => {
  const rows = assets.map(dasRowsOf);
  for (const table of dasTableNames)
    await copyRows(
      client,
      table,
      columnsOf(table),
      rows.flatMap((one) => one[table] as readonly DasRow<DasTable>[]),
    );
};

const columnsOf = <Table extends DasTable>(table: Table): readonly (keyof DasRow<Table> & string)[] =>
  Object.keys(dasTables[table]) as (keyof DasRow<Table> & string)[];
