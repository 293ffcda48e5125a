import { DERIVATION, DERIVATION_KEY, documentQueueOf, ROWS_FORMAT, ROWS_FORMAT_KEY } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Connection } from "../engine/connection.ts";
import { APPLICATION_ID } from "../engine/settings.ts";
import { schema1 } from "./schema-1.ts";
import { schema10 } from "./schema-10.ts";
import { schema2 } from "./schema-2.ts";
import { schema3 } from "./schema-3.ts";
import { schema4 } from "./schema-4.ts";
import { schema5 } from "./schema-5.ts";
import { schema6 } from "./schema-6.ts";
import { schema7 } from "./schema-7.ts";
import { schema8 } from "./schema-8.ts";
import { schema9 } from "./schema-9.ts";

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
INSERT INTO head VALUES (1, NULL, NULL, 0, 0, 0, -9223372036854775808, x'', 0, 0);
INSERT INTO meta VALUES ('store_id', lower(hex(randomblob(16)))), ('${ROWS_FORMAT_KEY}', '${ROWS_FORMAT}'),
  ('${DERIVATION_KEY}', '${DERIVATION}');
PRAGMA application_id = ${APPLICATION_ID};`,
  },
  { version: 2, name: "off-chain documents", sql: schema2 },
  { version: 3, name: "trees with missing changes", sql: schema3 },
  { version: 4, name: "queues of off-chain documents", sql: schema4 },
  {
    version: 5,
    name: "facts that assets take from their collection, and contents of documents",
    sql: schema5,
  },
  { version: 6, name: "numbers of changes of documents", sql: schema6 },
  { version: 7, name: "no indexes of criteria with few values", sql: schema7 },
  { version: 8, name: "assets as the next rules derive them", sql: schema8 },
  { version: 9, name: "token accounts of each mint, where an operator asks for them", sql: schema9 },
  { version: 10, name: "no nodes of trees as they were kept before", sql: schema10 },
];

/**
 * Migrates the file to the newest of `steps`, each step with its version number in one transaction. An empty file
 * becomes a store. Returns whether the file was empty.
 *
 * @throws LamplightError `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`
 */
export const migrate = (connection: Connection, steps: readonly Migration[] = migrations): boolean => {
  const found = readSchemaVersion(connection, newestOf(steps));
  if (found < newestOf(steps)) connection.defineFunction("document_queue", documentQueueOf);
  for (const step of steps) {
    if (step.version <= found) continue;
    connection.write(() => {
      connection.execute(step.sql);
      connection.execute(`PRAGMA user_version = ${step.version}`);
    });
  }
  return found === 0;
};

/**
 * Refuses a file that a reader cannot read.
 *
 * @param newest - the newest schema that is accepted. A reader that runs accepts every later one: a step only
 *   adds to a schema, drops an index, or removes rows whose absence older versions report, while the format of its rows stays.
 * @throws LamplightError `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`
 */
export const assertSchemaIsCurrent = (
  connection: Connection,
  steps: readonly Migration[] = migrations,
  newest: number = newestOf(steps),
): void => {
  const known = newestOf(steps);
  const found = readSchemaVersion(connection, newest);
  if (found === 0) throw notAStore(connection, "the file is empty");
  if (found < known)
    throw notAStore(connection, `its schema ${found} is older than ${known}; run lamplight migrate`);
};

/**
 * Refuses a file that a writer of this version cannot use. An empty file and an older schema pass.
 *
 * @throws LamplightError `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`
 */
export const assertSchemaIsKnown = (connection: Connection): void => {
  readSchemaVersion(connection, newestOf(migrations));
};

/** The steps that a file needs; null for an empty one. */
export const listSteps = (connection: Connection): readonly Migration[] | null => {
  const found = readSchemaVersion(connection, newestOf(migrations));
  return found === 0 ? null : migrations.filter(({ version }) => version > found);
};

/** 0 for an empty file. */
const readSchemaVersion = (connection: Connection, newest: number): number => {
  const version = connection.readNumber("PRAGMA user_version");
  const application = connection.readNumber("PRAGMA application_id");
  if (application !== APPLICATION_ID) {
    const isEmpty = application === 0 && connection.readNumber("SELECT count(*) FROM sqlite_schema") === 0;
    if (!isEmpty) throw notAStore(connection, "an SQLite file of another application");
    return 0;
  }
  if (version > newest) {
    throw new LamplightError("STORE__SCHEMA_TOO_NEW", {
      found: version,
      known: newest,
      store: connection.file,
    });
  }
  assertRowsFormat(connection);
  return version;
};

const assertRowsFormat = (connection: Connection): void => {
  const row = connection.prepare("SELECT value FROM meta WHERE key = ?").get(ROWS_FORMAT_KEY);
  const found = Number(row?.[0] ?? 1);
  if (found !== ROWS_FORMAT)
    throw new LamplightError("STORE__OTHER_FORMAT", { found, known: ROWS_FORMAT, store: connection.file });
};

const newestOf = (steps: readonly Migration[]): number => steps.at(-1)?.version ?? 0;

const notAStore = (connection: Connection, reason: string): LamplightError =>
  new LamplightError("STORE__NOT_A_STORE", { store: connection.file, reason });
