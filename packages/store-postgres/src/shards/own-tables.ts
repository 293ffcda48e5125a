// The tables that have the rows of a shard on a node of Citus. Citus plans a statement on a distributed table at each
// use, with every value written out: a commit takes 1.4 times the processor time. So a writer writes and reads its own tables.

import { LamplightError } from "@lamplight/errors";
import { catalogStatement } from "../engine/statement.ts";
import type { Session } from "../engine/session.ts";

const listTables = `SELECT quote_ident(relname), shard_name(logicalrelid, shardid) FROM pg_dist_shard
JOIN pg_class ON pg_class.oid = logicalrelid
WHERE relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'node_slot'::regclass) AND relname <> 'node_slot'`;

/**
 * With an older snapshot, or with another connection to this node, a move could be missed. Citus would make views on every
 * node.
 */
const settingsSql = `SET citus.enable_manual_changes_to_shards TO on; SET citus.enable_local_execution TO on;
SET citus.enable_ddl_propagation TO off; SET default_transaction_isolation TO 'read committed'`;

/**
 * Gives each table but `node_slot` a temporary view of its name, over the own table of the node. PostgreSQL finds it first,
 * writes through it, and drops it with the session. A transaction changes `node_slot` first, through Citus, and so holds
 * the lock that a move of the shard waits for.
 */
export const useOwnTables = async (session: Session): Promise<void> => {
  const tables = (await session.execute(listTables)) as readonly (readonly [string, string])[];
  const views = tables.map(([name, own]) => `CREATE TEMP VIEW ${name} AS TABLE ${own}`);
  await session.execute(["BEGIN READ WRITE", settingsSql, ...views, "COMMIT"].join("; "));
  session.isPlaced = false;
  session.usesOwnTables = true;
};

const findHere = catalogStatement(
  "is_here",
  `SELECT 1 FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
WHERE logicalrelid = 'node_slot'::regclass AND groupid = (SELECT groupid FROM pg_dist_local_group)`,
);

/** The rows are on another node now, which can be used at once. */
export class RowsMoved extends LamplightError<"STORE__UNREACHABLE"> {
  constructor(store: string) {
    super("STORE__UNREACHABLE", { store, reason: "its rows were moved to another node" });
  }
}

/**
 * Asked in a transaction that has changed `node_slot`: after a move, the own tables are left behind.
 *
 * @throws RowsMoved
 */
export const assertNotMoved = async (session: Session): Promise<void> => {
  if (session.usesOwnTables && (await session.get(findHere)) === undefined)
    throw new RowsMoved(session.store);
};
