// The node of Citus that has the rows of a shard. What passes through another node is planned twice, and sent twice.

import { LamplightError } from "@lamplight/errors";
import type { PostgresLocation } from "../engine/location.ts";
import { readPostgresUrl, urlOfServer } from "../engine/postgres-url.ts";
import { catalogStatement, statement } from "../engine/statement.ts";
import type { Session } from "../engine/session.ts";

/** Shards of other nodes than the session's; a schema that Citus places has one of each table. */
const findNode = catalogStatement(
  "node_of_rows",
  `SELECT nodename, nodeport FROM pg_dist_shard
JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
WHERE logicalrelid = 'node_slot'::regclass AND noderole = 'primary'
AND groupid <> (SELECT groupid FROM pg_dist_local_group)`,
);
const findEpoch = statement("SELECT 1 FROM node_slot WHERE id = 1 AND epoch = $1");

/** `HOST:PORT` of the node that has the rows; null where the session is on it, or Citus does not place them. */
export const nodeOfRows = async (session: Session): Promise<string | null> => {
  if (!session.isPlaced) return null;
  const [node] = await session.all(findNode);
  if (node === undefined) return null;
  const [host, port] = node as readonly [string, number];
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
};

/** The same database and schema on a node, with the user and the parameters of the URL. */
export const atNode = (location: PostgresLocation, node: string): PostgresLocation => {
  const url = readPostgresUrl(location.connectionString);
  if (url === null) return location;
  const name = `${location.name} on ${node}`;
  return { ...location, connectionString: urlOfServer(url, node), name, choice: null };
};

/**
 * The name of a node may mean another server where this process runs. Only the rows that this writer has fenced have its
 * epoch.
 *
 * @throws LamplightError `STORE__UNREACHABLE`
 */
export const assertEpoch = async (session: Session, epoch: number): Promise<void> => {
  if ((await session.get(findEpoch, epoch)) !== undefined) return;
  throw new LamplightError("STORE__UNREACHABLE", {
    store: session.store,
    reason: "it does not have the rows that this writer has fenced",
  });
};
