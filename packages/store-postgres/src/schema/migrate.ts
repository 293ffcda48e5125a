import { DERIVATION, DERIVATION_KEY, ROWS_FORMAT, ROWS_FORMAT_KEY } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Session } from "../engine/session.ts";
import { schema1 } from "./schema-1.ts";
import { schema10 } from "./schema-10.ts";
import { schema11 } from "./schema-11.ts";
import { schema2 } from "./schema-2.ts";
import { schema3 } from "./schema-3.ts";
import { schema4 } from "./schema-4.ts";
import { schema5 } from "./schema-5.ts";
import { schema6 } from "./schema-6.ts";
import { schema7 } from "./schema-7.ts";
import { schema8 } from "./schema-8.ts";
import { schema9 } from "./schema-9.ts";
import { hiddenSchemaError, isVisibleSql } from "./visible-schema.ts";

/** One step of a migration. Released steps are never changed, and there is no way back. */
export interface Migration {
  /** Schema version after the step. The first is 1; there are no gaps. */
  readonly version: number;
  /** For operators. */
  readonly name: string;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: "tables of a new store",
    sql: `${schema1}
INSERT INTO meta VALUES ('${ROWS_FORMAT_KEY}', '${ROWS_FORMAT}'), ('${DERIVATION_KEY}', '${DERIVATION}');`,
  },
  { version: 2, name: "slots above the finalized one, for other processes", sql: schema2 },
  { version: 3, name: "history of writers", sql: schema3 },
  { version: 4, name: "queues of off-chain documents", sql: schema4 },
  {
    version: 5,
    name: "facts that assets take from their collection, and contents of documents",
    sql: schema5,
  },
  { version: 6, name: "pages of a delegate in the order of an index", sql: schema6 },
  { version: 7, name: "numbers of changes of documents", sql: schema7 },
  { version: 8, name: "no indexes of criteria with few values", sql: schema8 },
  { version: 9, name: "assets as the next rules derive them", sql: schema9 },
  { version: 10, name: "token accounts of each mint, where an operator asks for them", sql: schema10 },
  { version: 11, name: "no nodes of trees as they were kept before", sql: schema11 },
];

/**
 * Milliseconds for which a step waits for readers of the tables that it alters. A copy may read for hours, and every
 * view of every node would wait behind the step.
 */
const ALTER_WAIT_MS = 1000;

/** The newest schema that this version can read and write. */
const SCHEMA_VERSION: number = migrations.at(-1)?.version ?? 0;

/**
 * Migrates the store to the newest of `steps`, each step with its version number in one transaction. A new store gets all
 * steps in one, so that a process that is killed leaves a whole schema or none. Returns the version found, 0 for an empty
 * schema or none.
 *
 * @throws LamplightError `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`, or `STORE__LOCKED`
 * while a process reads tables that a step alters
 */
export const migrate = async (
  session: Session,
  schema: string,
  steps: readonly Migration[] = migrations,
): Promise<number> => {
  const found = await readSchemaVersion(session, schema, steps.at(-1)?.version ?? 0);
  const due = steps.filter(({ version }) => version > found);
  if (found === 0) await apply(session, due, `CREATE SCHEMA IF NOT EXISTS "${schema}";`);
  else for (const step of due) await apply(session, [step]);
  return found;
};

const apply = async (session: Session, steps: readonly Migration[], before = ""): Promise<void> => {
  await session.execute(`BEGIN;
SET LOCAL lock_timeout = ${ALTER_WAIT_MS};
${before}
${steps.map(({ sql }) => sql).join("\n")}`);
  await session.execute(`INSERT INTO meta VALUES ('schema_version', '${steps.at(-1)?.version}')
ON CONFLICT (key) DO UPDATE SET value = excluded.value;
COMMIT;`);
};

/**
 * Refuses a schema that a reader cannot read.
 *
 * @param newest - the newest schema that is accepted. A reader that runs accepts every later one: a step only
 *   adds to a schema, drops an index, or removes rows whose absence older versions report, while the format of its rows stays.
 * @throws LamplightError `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`, `STORE__NEEDS_MIGRATION`
 */
export const assertSchemaIsCurrent = async (
  session: Session,
  schema: string,
  newest: number = SCHEMA_VERSION,
): Promise<void> => {
  const found = await readSchemaVersion(session, schema, newest);
  if (found === 0) throw notAStore(session, `the schema ${schema} is empty`);
  if (found < SCHEMA_VERSION)
    throw new LamplightError("STORE__NEEDS_MIGRATION", {
      found,
      known: SCHEMA_VERSION,
      store: session.store,
    });
};

/** @throws LamplightError `STORE__MISSING` where the schema has no tables */
export const assertExists = async (session: Session, schema: string): Promise<void> => {
  const found = await readSchemaVersion(session, schema, SCHEMA_VERSION);
  if (found === 0) throw new LamplightError("STORE__MISSING", { store: session.store });
};

/**
 * Refuses an older schema: others use the database, so its owner chooses when tables are locked. An empty schema passes.
 *
 * @throws LamplightError `STORE__NEEDS_MIGRATION` and as `migrate`
 */
export const assertMigrated = async (session: Session, schema: string): Promise<void> => {
  const found = await readSchemaVersion(session, schema, SCHEMA_VERSION);
  if (found > 0 && found < SCHEMA_VERSION)
    throw new LamplightError("STORE__NEEDS_MIGRATION", {
      found,
      known: SCHEMA_VERSION,
      store: session.store,
    });
};

/** The steps that a store needs; null for an empty schema. */
export const listSteps = async (session: Session, schema: string): Promise<readonly Migration[] | null> => {
  const found = await readSchemaVersion(session, schema, SCHEMA_VERSION);
  return found === 0 ? null : migrations.filter(({ version }) => version > found);
};

/** The only encoding that can store every document, and counts characters as we do. */
const encodingQuery = "UTF8";

/** 0 for a schema without tables, or none at all. */
const readSchemaVersion = async (session: Session, schema: string, known: number): Promise<number> => {
  const { store } = session;
  const [tables] = await session.execute(
    `SELECT count(*), count(*) FILTER (WHERE tablename = 'meta'), current_setting('server_encoding'),
  ${isVisibleSql(schema)}
FROM pg_tables WHERE schemaname = '${schema}'`,
  );
  if (tables?.[2] !== encodingQuery)
    throw notAStore(session, `its database is encoded in ${String(tables?.[2])} instead of ${encodingQuery}`);
  if (tables?.[3] === false) throw hiddenSchemaError(session, schema);
  if (Number(tables?.[0]) === 0) return 0;
  if (Number(tables?.[1]) === 0)
    throw notAStore(session, `the schema ${schema} belongs to another application`);
  const pairs = await session.execute(
    `SELECT key, value FROM meta WHERE key IN ('schema_version', '${ROWS_FORMAT_KEY}')`,
  );
  const versions = new Map(pairs.map(([key, value]) => [key as string, Number(value)]));
  const version = versions.get("schema_version");
  if (version === undefined) throw notAStore(session, `the schema ${schema} names no version`);
  if (version > known) throw new LamplightError("STORE__SCHEMA_TOO_NEW", { found: version, known, store });
  const found = versions.get(ROWS_FORMAT_KEY) ?? 1;
  if (found !== ROWS_FORMAT)
    throw new LamplightError("STORE__OTHER_FORMAT", { found, known: ROWS_FORMAT, store });
  return version;
};

const notAStore = (session: Session, reason: string): LamplightError =>
  new LamplightError("STORE__NOT_A_STORE", { store: session.store, reason });
