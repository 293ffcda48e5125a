// These functions do to a shard that Citus places what an operator or a fault does.

import { Client, type QueryResult } from "pg";

const ask = async (url: string, sql: string): Promise<QueryResult["rows"]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};

const schemaOf = (shard: string): string => new URL(shard).searchParams.get("schema") ?? "lamplight";

/** Writes wait for the whole move, or only for its end. */
export type MoveMode = "block_writes" | "force_logical";

/** Moves a shard to another worker. */
export const moveShard = async (shard: string, mode: MoveMode = "block_writes"): Promise<void> => {
  const schema = schemaOf(shard);
  await ask(
    shard,
    `SELECT citus_schema_move('"${schema}"', nodename, nodeport, shard_transfer_mode := '${mode}')
FROM pg_dist_node WHERE isactive AND shouldhaveshards AND groupid <> (SELECT groupid FROM pg_dist_placement
JOIN pg_dist_shard USING (shardid) WHERE logicalrelid = '"${schema}".account'::regclass) ORDER BY nodeid LIMIT 1`,
  );
};

/**
 * Gives a table of a shard another name in sessions on the workers, and takes the temporary views of it from them. Through
 * the coordinator, it is there as before.
 */
export const renameOnWorkers = async (shard: string, table: string, name: string): Promise<void> => {
  for (const worker of await workersOf(shard)) {
    await ask(worker, renamingSql(shard, table, name));
    await ask(worker, droppingSql(shard, table));
  }
};

/**
 * Sessions on the workers wait where they name a table of a shard. Through the coordinator, it is there as before.
 *
 * @returns ends that
 */
export const keepWorkersWaiting = async (shard: string, table: string): Promise<() => Promise<void>> => {
  const clients = (await workersOf(shard)).map((connectionString) => new Client({ connectionString }));
  for (const client of clients) {
    await client.connect();
    await client.query("BEGIN");
    await client.query(renamingSql(shard, table, "waited_for"));
  }
  return async () => {
    for (const client of clients) {
      await client.query("ROLLBACK");
      await client.end();
    }
  };
};

const workersOf = async (shard: string): Promise<readonly string[]> => {
  const workers = await ask(shard, "SELECT nodename, nodeport FROM pg_dist_node WHERE shouldhaveshards");
  return workers.map(({ nodename, nodeport }) => {
    const worker = new URL(shard);
    [worker.hostname, worker.port] = [nodename, `${nodeport}`];
    return worker.href;
  });
};

const renamingSql = (shard: string, table: string, name: string): string =>
  `SET citus.enable_ddl_propagation TO off; ALTER TABLE "${schemaOf(shard)}"."${table}" RENAME TO "${name}"`;

const droppingSql = (shard: string, table: string): string => `DO $$DECLARE view regclass; BEGIN
FOR view IN SELECT oid FROM pg_class WHERE relkind = 'v' AND relpersistence = 't' AND relname = '${table}'
AND pg_get_viewdef(oid) LIKE '%${schemaOf(shard)}.%' LOOP EXECUTE 'DROP VIEW ' || view; END LOOP; END$$`;
