import { encodeAddress } from "@lamplight/codecs";
import type { StoreExport } from "@lamplight/core";
import { openSqliteExport } from "@lamplight/store-sqlite";
import { Client } from "pg";
import { copyRows } from "../copy-rows.ts";
import { accountRowsOf, type MintsOfPrints } from "./account-rows.ts";
import { coreCollections, withInherited } from "./core-members.ts";
import { dasRowsOf } from "./das-rows.ts";
import { type DasRow, type DasRows, type DasTable, dasTableNames, dasTables } from "./das-tables.ts";
import { readTrees, treeRowsOf } from "./tree-rows.ts";

const ROWS_IN_MEMORY = 20_000;

/**
 * Fills das_api's tables with the assets, token accounts, editions and trees of a store, and lets PostgreSQL analyze them.
 *
 * @param url - of a database whose tables das_api's own migrations have made, and which are empty
 * @returns how many assets
 */
export const exportToDas = async (storeFile: string, url: string): Promise<number> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const store = openSqliteExport(storeFile);
  try {
    const assets = await exportAssets(client, store, storeFile);
    await exportAccounts(client, store);
    for (const tree of await readTrees(storeFile))
      for (const rows of treeRowsOf(tree)) await copyAll(client, [{ cl_items: rows }]);
    await client.query(`ANALYZE ${dasTableNames.join(", ")}`);
    return assets;
  } finally {
    await store.close();
    await client.end();
  }
};

const exportAssets = async (client: Client, store: StoreExport, storeFile: string): Promise<number> => {
  const collections = await coreCollections(storeFile);
  let assets = 0;
  const pending: DasRows[] = [];
  for await (const page of store.pages("assets")) {
    pending.push(...page.map((asset) => dasRowsOf(withInherited(asset, collections))));
    assets += page.length;
    if (pending.length >= ROWS_IN_MEMORY) await copyAll(client, pending.splice(0));
  }
  await copyAll(client, pending);
  return assets;
};

const exportAccounts = async (client: Client, store: StoreExport): Promise<void> => {
  const mints = await mintsOfPrints(store);
  const pending: DasRows[] = [];
  for await (const page of store.pages("accounts")) {
    // A closed account has no data.
    pending.push(...page.map(({ current }) => accountRowsOf(current, mints)));
    if (pending.length >= ROWS_IN_MEMORY) await copyAll(client, pending.splice(0));
  }
  await copyAll(client, pending);
};

const mintsOfPrints = async (store: StoreExport): Promise<MintsOfPrints> => {
  const mints = new Map<string, Uint8Array>();
  for await (const page of store.pages("editions"))
    for (const { address, mint } of page) mints.set(encodeAddress(address), mint);
  return mints;
};

const copyAll = async (client: Client, parts: readonly DasRows[]): Promise<void> => {
  for (const table of dasTableNames) {
    const rows = parts.flatMap((part) => (part[table] ?? []) as readonly DasRow<DasTable>[]);
    if (rows.length > 0) await copyRows(client, table, columnsOf(table), rows);
  }
};

const columnsOf = <Table extends DasTable>(table: Table): readonly (keyof DasRow<Table> & string)[] =>
  Object.keys(dasTables[table]) as (keyof DasRow<Table> & string)[];
