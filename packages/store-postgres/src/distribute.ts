import { brokenInvariant, LamplightError } from "@lamplight/errors";
import { parsePostgresUrl } from "./engine/location.ts";
import type { Session } from "./engine/session.ts";
import { WriterSession } from "./writes/writer-session.ts";
import { distribution } from "./schema/distribution.ts";

/** Names of tables by their kind of distribution. */
export interface DistributionReport {
  readonly spread: readonly string[];
  readonly everywhere: readonly string[];
  readonly already: readonly string[];
}

/** The statement that makes one table a distributed or a reference table of Citus. */
export const distributeTableSql = (table: string): string => {
  const rule = distribution[table];
  if (rule === undefined) throw brokenInvariant(`table ${table} has no distribution rule`);
  return rule === "everywhere"
    ? `SELECT create_reference_table('${table}')`
    : // Tables by addresses lie in parallel: rows of one address on one node, regardless of the table.
      `SELECT create_distributed_table('${table}', '${rule.by}')`;
};

/**
 * Distributes the tables of a store over all nodes of a PostgreSQL with Citus. First creates the store, or migrates
 * it. No other process may write it.
 *
 * @throws LamplightError `STORE__NO_CITUS`, and of the STORE family
 */
export const distributePostgresStore = async (url: string): Promise<DistributionReport> => {
  const { writer } = await WriterSession.open(parsePostgresUrl(url), true, { migrates: true });
  try {
    return await writer.read(distribute);
  } finally {
    await writer.close();
  }
};

const distribute = async (session: Session): Promise<DistributionReport> => {
  const found = await session.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
  if (found.length === 0) throw new LamplightError("STORE__NO_CITUS", { store: session.store });
  // The search path contains our schema only, so tables of other schemas have a prefix.
  const rows = await session.execute("SELECT logicalrelid::regclass::text FROM pg_dist_partition");
  const known = new Set(rows.map(([name]) => name as string));
  const tables = Object.keys(distribution);
  const rest = tables.filter((table) => !known.has(table));
  for (const table of rest) await session.execute(distributeTableSql(table));
  return {
    spread: rest.filter((table) => distribution[table] !== "everywhere"),
    everywhere: rest.filter((table) => distribution[table] === "everywhere"),
    already: tables.filter((table) => known.has(table)),
  };
};
