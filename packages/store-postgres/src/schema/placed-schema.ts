// Citus places the whole of a distributed schema on one node, and moves it as a whole. So a shard may be one.

import { LamplightError } from "@lamplight/errors";
import type { Session } from "../engine/session.ts";

/** @throws LamplightError `STORE__NO_SUCH_USE` where the session is on a worker of Citus: it creates no schema and no index */
export const assertMayCreate = async (session: Session): Promise<void> => {
  if (!(await isOnCitus(session)) || (await isCoordinator(session))) return;
  throw new LamplightError("STORE__NO_SUCH_USE", {
    store: session.store,
    use: "be created or loaded on a worker of Citus",
    instead: "name the coordinator of Citus for each shard until it is created or loaded",
  });
};

/** Makes a new schema a distributed one, where the session is on Citus. */
export const placeByCitus = async (session: Session, schema: string): Promise<void> => {
  if (!(await isOnCitus(session))) return;
  await session.execute(`SELECT citus_schema_distribute('"${schema}"')`);
  session.isPlaced = true;
};

/** Whether Citus places the tables of a schema. */
export const isPlaced = async (session: Session, schema: string): Promise<boolean> =>
  (await isOnCitus(session)) && (await session.execute(`${tablesSql(schema)} LIMIT 1`)).length > 0;

/**
 * Refuses a schema whose rows Citus puts on several nodes: a commit reaches them one after another, and one of them may
 * lack what was acknowledged.
 *
 * @throws LamplightError `STORE__MIXES_SLOTS`
 */
export const assertOnOneNode = async (session: Session, schema: string): Promise<void> => {
  if (!(await isOnCitus(session))) return;
  // Tables without a distribution key that lie together, except those that every node has.
  const tables = await session.execute(tablesSql(schema));
  const isAlone = tables.every(([method, model]) => method === "n" && model !== "t");
  if (!isAlone || new Set(tables.map((table) => table[2])).size > 1)
    throw new LamplightError("STORE__MIXES_SLOTS", { store: session.store });
};

const tablesSql = (schema: string): string => `SELECT partmethod::text, repmodel::text, colocationid
FROM pg_catalog.pg_dist_partition
JOIN pg_class ON pg_class.oid = logicalrelid
JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = '${schema}'`;

const isCoordinator = async (session: Session): Promise<boolean> => {
  const [row] = await session.execute("SELECT citus_is_coordinator()");
  return row?.[0] === true;
};

const isOnCitus = async (session: Session): Promise<boolean> => {
  const rows = await session.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
  return rows.length > 0;
};
