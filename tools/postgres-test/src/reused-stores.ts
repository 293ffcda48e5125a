import { Client } from "pg";
import { afterAll } from "vitest";

/** Empty stores for tests, one after another. */
export interface ReusedStores {
  /** URL of an empty store. */
  take(): Promise<string>;
  /** Empties a store, which was closed. One that is not given back is not used again. */
  giveBack(url: string): Promise<void>;
}

/** A database of a store, and the SQL that makes it as it was when the store was created. */
interface EmptiedDatabase {
  readonly client: Client;
  readonly emptying: string;
}

/**
 * Call it in a `describe`. Its stores are emptied between two uses, because it takes longer to create one.
 *
 * @param newStore - a place where nothing was
 * @param create - creates a store in a place, and closes it
 */
export const reusedStores = (
  newStore: () => string,
  create: (url: string) => Promise<void>,
): ReusedStores => {
  const databases = new Map<string, readonly EmptiedDatabase[]>();
  const free: string[] = [];
  afterAll(async () => {
    for (const { client } of [...databases.values()].flat()) await client.end();
  });
  return {
    take: async () => {
      const found = free.pop();
      if (found !== undefined) return found;
      const url = newStore();
      await create(url);
      databases.set(url, await Promise.all(databasesOf(url).map(openEmptied)));
      return url;
    },
    giveBack: async (url) => {
      await Promise.all(databases.get(url)!.map(({ client, emptying }) => client.query(emptying)));
      free.push(url);
    },
  };
};

/** Opens an empty store. It is given back when what `open` returned is closed. */
export const openReused = async <Opened extends { close(): void | Promise<void> }>(
  stores: ReusedStores,
  open: (url: string) => Promise<Opened>,
): Promise<Opened> => {
  const url = await stores.take();
  const opened = await open(url);
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await stores.giveBack(url);
    },
  };
};

/** The databases of a store: of several shards, or the one that it names. */
const databasesOf = (store: string): readonly string[] => {
  const url = new URL(store);
  const shards = url.searchParams.getAll("shard");
  url.searchParams.delete("shard");
  return [url.href.replace(/^shards:/u, "postgres:"), ...shards];
};

const openEmptied = async (database: string): Promise<EmptiedDatabase> => {
  const url = new URL(database);
  const schema = url.searchParams.get("schema");
  url.searchParams.delete("schema");
  const client = new Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1",
    [schema],
  );
  const parts: string[] = [];
  for (const { name } of rows) parts.push(await emptyingOf(client, name));
  return { client, emptying: `BEGIN; ${parts.join("\n")} COMMIT` };
};

const emptyingOf = async (client: Client, table: string): Promise<string> => {
  const { rows } = await client.query<{ kept: string | null }>(
    `SELECT json_agg(one)::text AS kept FROM ${table} AS one`,
  );
  const kept = rows[0]?.kept ?? null;
  if (kept === null) return `DELETE FROM ${table};`;
  return `DELETE FROM ${table};
INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, ${client.escapeLiteral(kept)});`;
};
