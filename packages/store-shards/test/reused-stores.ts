import { parsePostgresUrl, ShardSession } from "@lamplight/store-postgres";
import { parseShardsUrl } from "../src/location.ts";
import { openShardsStore } from "../src/writer/open-shards-store.ts";
import type { TestStores } from "./test-stores.ts";

/**
 * Stores that are used one after another, and emptied between. Citus takes seconds to place the shards of a store, and
 * milliseconds to empty them. A store that was not closed is not used again.
 */
export const reusedStores = (newStore: () => string): TestStores => {
  /** SQL that makes each database as it was when its store was created, by the URL of the store. */
  const created = new Map<string, ReadonlyMap<string, string>>();
  const free: string[] = [];
  return {
    take: async () => {
      const found = free.pop();
      if (found !== undefined) return found;
      const url = newStore();
      created.set(url, await create(url));
      return url;
    },
    giveBack: async (url) => {
      await Promise.all([...created.get(url)!].map(([database, sql]) => execute(database, sql)));
      free.push(url);
    },
  };
};

const create = async (url: string): Promise<ReadonlyMap<string, string>> => {
  const store = await openShardsStore({ url, mode: "write" });
  await store.close();
  const { coordinator, shards } = parseShardsUrl(url);
  const emptying = new Map<string, string>();
  for (const database of [coordinator, ...shards]) emptying.set(database, await emptyingOf(database));
  return emptying;
};

const emptyingOf = async (database: string): Promise<string> => {
  const { schema } = parsePostgresUrl(database);
  const tables = await execute(database, `SELECT tablename FROM pg_tables WHERE schemaname = '${schema}'`);
  const parts = tables.map(async ([table]) => {
    const name = `"${schema}"."${String(table)}"`;
    const [row] = await execute(database, `SELECT json_agg(one)::text FROM ${name} AS one`);
    const rows = row?.[0] ?? null;
    if (rows === null) return `DELETE FROM ${name};`;
    const text = String(rows).replaceAll("'", "''");
    return `DELETE FROM ${name};
INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, '${text}');`;
  });
  return `BEGIN; ${(await Promise.all(parts)).join("\n")} COMMIT`;
};

const execute = async (url: string, sql: string): Promise<readonly (readonly unknown[])[]> => {
  const session = new ShardSession(parsePostgresUrl(url), { role: "writer" });
  try {
    return await session.use((one) => one.execute(sql));
  } finally {
    await session.close();
  }
};
