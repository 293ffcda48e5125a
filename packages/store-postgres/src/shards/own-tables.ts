// The tables that have the rows of a shard on a node of Citus. Citus plans a statement on a distributed table at each
// use, with every value written out: a commit takes 1.4 times the processor time. So a writer names the own tables.

import { passingStatement } from "../engine/statement.ts";
import type { Session } from "../engine/session.ts";

const listTables = `SELECT relname, shard_name(logicalrelid, shardid) FROM pg_dist_shard
JOIN pg_class ON pg_class.oid = logicalrelid
WHERE relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'node_slot'::regclass) AND relname <> 'node_slot'`;

/** With an older snapshot, or with another connection to this node, a move could be missed. */
const settingsSql = `SET citus.enable_manual_changes_to_shards TO on; SET citus.enable_local_execution TO on;
SET default_transaction_isolation TO 'read committed'`;

/**
 * Makes the statements of a session name the own tables of the node, but for `node_slot`: a transaction changes that one
 * first, through Citus, and so holds the lock that a move of the shard waits for.
 */
export const useOwnTables = async (session: Session): Promise<void> => {
  const tables = new Map((await session.execute(listTables)) as readonly (readonly [string, string])[]);
  await session.execute(settingsSql);
  const texts = new Map<string, string>();
  session.isPlaced = false;
  session.rewrite = (text) => {
    const known = texts.get(text) ?? withOwnTables(text, tables);
    texts.set(text, known);
    return known;
  };
};

/** A table keeps its name as an alias, unless it has one, which is in small letters. */
export const withOwnTables = (text: string, tables: ReadonlyMap<string, string>): string =>
  text.replaceAll(
    /\b(FROM|INTO|UPDATE|JOIN)\s+([a-z_]+)\b(?![.(])(?=(\s+(?:AS\s+)?[a-z])?)/gu,
    (found, keyword: string, name: string, alias: string | undefined) => {
      const own = tables.get(name);
      if (own === undefined) return found;
      return alias === undefined ? `${keyword} ${own} AS ${name}` : `${keyword} ${own}`;
    },
  );

const findHere = passingStatement(`SELECT 1 FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
WHERE logicalrelid = 'node_slot'::regclass AND groupid = (SELECT groupid FROM pg_dist_local_group)`);

/** Whether the shard was moved, in a transaction that has changed `node_slot`: then the own tables are left behind. */
export const wasMoved = async (session: Session): Promise<boolean> =>
  session.rewrite !== null && (await session.get(findHere)) === undefined;
