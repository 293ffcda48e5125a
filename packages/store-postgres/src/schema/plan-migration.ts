import { parsePostgresUrl } from "../engine/location.ts";
import { openSession } from "../engine/open-session.ts";
import type { Session } from "../engine/session.ts";
import { listSteps } from "./migrate.ts";

/** A table that no other process can use while a step runs. */
export interface LockedTable {
  readonly table: string;
  /** With its indexes. */
  readonly bytes: number;
}

export interface PlannedStep {
  readonly version: number;
  readonly name: string;
  readonly locks: readonly LockedTable[];
}

/**
 * The steps that would update a store, with the tables that they lock. Changes nothing, and takes no lock of a writer.
 *
 * @throws LamplightError of the STORE family
 */
export const planPostgresMigration = async (
  url: string,
): Promise<{ readonly steps: readonly PlannedStep[] | null; readonly bytes: number }> => {
  const location = parsePostgresUrl(url);
  const session = await openSession(location, { role: "writer" });
  try {
    const steps = await listSteps(session, location.schema);
    const sizes = await readSizes(session, location.schema);
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    if (steps === null) return { steps, bytes };
    const tableOfIndex = await readIndexes(session, location.schema);
    return {
      bytes,
      steps: steps.map(({ version, name, sql }) => ({
        version,
        name,
        locks: lockedTables(sql, tableOfIndex).flatMap((table) => {
          const size = sizes.get(table);
          // A step may also alter what it makes itself.
          return size === undefined ? [] : [{ table, bytes: size }];
        }),
      })),
    };
  } finally {
    await session.close();
  }
};

/** Tables that statements of a step lock: they alter them, or make or drop one of their indexes. */
const lockedTables = (sql: string, tableOfIndex: ReadonlyMap<string, string>): readonly string[] => {
  const tables = new Set<string>();
  for (const [, altered, made, dropped] of sql.matchAll(
    /ALTER TABLE (\w+)|CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)|DROP INDEX (\w+)/gu,
  )) {
    const table = altered ?? made ?? tableOfIndex.get(dropped ?? "");
    if (table !== undefined) tables.add(table);
  }
  return [...tables];
};

const readSizes = async (session: Session, schema: string): Promise<ReadonlyMap<string, number>> => {
  const rows = await session.execute(
    `SELECT tablename, pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass)
FROM pg_tables WHERE schemaname = '${schema}'`,
  );
  return new Map(rows.map(([table, bytes]) => [table as string, Number(bytes)]));
};

const readIndexes = async (session: Session, schema: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await session.execute(
    `SELECT indexname, tablename FROM pg_indexes WHERE schemaname = '${schema}'`,
  );
  return new Map(rows.map(([index, table]) => [index as string, table as string]));
};
