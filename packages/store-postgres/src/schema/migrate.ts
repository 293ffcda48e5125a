import { LamplightError } from "@lamplight/errors";
import type { Session } from "../engine/session.ts";
import { schema1 } from "./schema-1.ts";
import { schema2 } from "./schema-2.ts";
import { schema3 } from "./schema-3.ts";

/** One step forward. Steps are never changed once released; there is none back. */
export interface Migration {
  /** Schema version after the step; the first is 1, without gaps. */
  readonly version: number;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  { version: 1, sql: schema1 },
  { version: 2, sql: schema2 },
  { version: 3, sql: schema3 },
];

/**
 * How long a step waits for those who read what it alters: a copy may read for hours, and behind the step that waits for
 * it every view of every node would.
 */
const ALTER_WAIT_MS = 1000;

/** The newest schema that this version can read and write. */
export const SCHEMA_VERSION: number = migrations.at(-1)?.version ?? 0;

/**
 * Brings the store to the newest of `steps`, each step with its version number in one transaction; does nothing when it
 * is there already. Answers the version found, 0 for an empty schema or none.
 *
 * @throws LamplightError `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`, or `STORE__LOCKED` while somebody reads what a step alters
 */
export const migrate = async (
  session: Session,
  schema: string,
  steps: readonly Migration[] = migrations,
): Promise<number> => {
  const found = await readSchemaVersion(session, schema);
  const known = steps.at(-1)?.version ?? 0;
  if (found > known)
    throw new LamplightError("STORE__SCHEMA_TOO_NEW", { found, known, store: session.store });
  for (const step of steps) {
    if (step.version <= found) continue;
    await session.execute(`BEGIN;
SET LOCAL lock_timeout = ${ALTER_WAIT_MS};
${found === 0 ? `CREATE SCHEMA IF NOT EXISTS "${schema}";` : ""}
${step.sql}
INSERT INTO meta VALUES ('schema_version', '${step.version}')
ON CONFLICT (key) DO UPDATE SET value = excluded.value;
COMMIT;`);
  }
  return found;
};

/**
 * Refuses what a reader cannot read.
 *
 * @throws LamplightError `STORE__NOT_A_STORE` or `STORE__SCHEMA_TOO_NEW`
 */
export const assertSchemaIsCurrent = async (
  session: Session,
  schema: string,
  known: number = SCHEMA_VERSION,
): Promise<void> => {
  const found = await readSchemaVersion(session, schema);
  if (found > known)
    throw new LamplightError("STORE__SCHEMA_TOO_NEW", { found, known, store: session.store });
  if (found === 0) throw notAStore(session, `the schema ${schema} is empty`);
  if (found < known) throw notAStore(session, `its schema ${found} is older than ${known}; migrate it first`);
};

/** @throws LamplightError `STORE__MISSING` where the schema has no tables */
export const assertExists = async (session: Session, schema: string): Promise<void> => {
  const found = await readSchemaVersion(session, schema);
  if (found === 0) throw new LamplightError("STORE__MISSING", { store: session.store });
};

/** The one encoding that holds every document as it is, and counts its letters as we do. */
const ENCODING = "UTF8";

/** 0 for a schema without tables, or none at all. */
const readSchemaVersion = async (session: Session, schema: string): Promise<number> => {
  const [tables] = await session.execute(
    `SELECT count(*), count(*) FILTER (WHERE tablename = 'meta'), current_setting('server_encoding')
FROM pg_tables WHERE schemaname = '${schema}'`,
  );
  if (tables?.[2] !== ENCODING)
    throw notAStore(session, `its database is encoded in ${String(tables?.[2])} instead of ${ENCODING}`);
  if (Number(tables?.[0]) === 0) return 0;
  if (Number(tables?.[1]) === 0)
    throw notAStore(session, `the schema ${schema} belongs to another application`);
  const [version] = await session.execute("SELECT value FROM meta WHERE key = 'schema_version'");
  if (version === undefined) throw notAStore(session, `the schema ${schema} names no version`);
  return Number(version[0]);
};

const notAStore = (session: Session, reason: string): LamplightError =>
  new LamplightError("STORE__NOT_A_STORE", { store: session.store, reason });
