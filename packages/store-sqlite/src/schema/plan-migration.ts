import { existsSync, statSync } from "node:fs";
import { Connection } from "../engine/connection.ts";
import { READER_BUSY_MS } from "../engine/settings.ts";
import { listSteps } from "./migrate.ts";

/**
 * The steps that would update a file. A step is one transaction, and holds the whole file from other writers; readers
 * go on.
 *
 * @throws LamplightError `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`
 */
export const planSqliteMigration = (
  file: string,
): {
  readonly steps: readonly { readonly version: number; readonly name: string; readonly locks: null }[] | null;
  readonly bytes: number;
} => {
  if (!existsSync(file)) return { steps: null, bytes: 0 };
  const connection = new Connection(file, { readOnly: true, busyMs: READER_BUSY_MS });
  try {
    const steps = listSteps(connection)?.map(({ version, name }) => ({ version, name, locks: null }));
    return { steps: steps ?? null, bytes: statSync(file).size };
  } finally {
    connection.close();
  }
};
