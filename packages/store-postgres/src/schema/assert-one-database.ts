import { LamplightError } from "@lamplight/errors";
import type { Session } from "../engine/session.ts";

/**
 * Refuses a store whose tables are distributed over several databases. Each of them takes its own snapshot, so one
 * view could contain rows of two slots.
 *
 * @throws LamplightError `STORE__MIXES_SLOTS`
 */
export const assertOneDatabase = async (session: Session, schema: string): Promise<void> => {
  // Only a database with Citus has this catalog.
  const [catalog] = await session.execute("SELECT count(to_regclass('pg_catalog.pg_dist_partition'))");
  if (Number(catalog?.[0]) === 0) return;
  const [tables] = await session.execute(`SELECT count(*) FROM pg_catalog.pg_dist_partition
JOIN pg_class ON pg_class.oid = logicalrelid
JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = '${schema}'`);
  if (Number(tables?.[0]) > 0) throw new LamplightError("STORE__MIXES_SLOTS", { store: session.store });
};
