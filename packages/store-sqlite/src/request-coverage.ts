import { existsSync } from "node:fs";
import { LamplightError } from "@lamplight/errors";
import { Connection } from "./engine/connection.ts";
import { ImmutableFile } from "./engine/immutable-file.ts";
import { COVERAGE_BUSY_MS, READER_BUSY_MS } from "./engine/settings.ts";
import { readCoverageRequestIn, requestCoverageIn } from "./writes/coverage-requests.ts";

/**
 * Changes what is asked for of the coverage of a store file. Another process may write the store.
 *
 * @param edit - gets the request that waits, as JSON; null = none. What it returns replaces it; null = it is removed
 * @throws LamplightError `STORE__MISSING`, and of the STORE family
 */
export const requestSqliteCoverage = (file: string, edit: (known: string | null) => string | null): void => {
  if (!existsSync(file)) throw new LamplightError("STORE__MISSING", { store: file });
  const connection = new Connection(file, { readOnly: false, busyMs: COVERAGE_BUSY_MS });
  try {
    requestCoverageIn(connection, edit);
  } finally {
    connection.close();
  }
};

/**
 * Reads the request that waits in a store file, as JSON; null = none. It needs no permission to write.
 *
 * @throws LamplightError `STORE__MISSING`, and of the STORE family
 */
export const readSqliteCoverageRequest = (file: string): string | null => {
  if (!existsSync(file)) throw new LamplightError("STORE__MISSING", { store: file });
  try {
    return readRequestOf(file, null);
  } catch (error) {
    return readRequestOf(file, ImmutableFile.insteadOf(file, error));
  }
};

const readRequestOf = (file: string, immutable: ImmutableFile | null): string | null => {
  const connection = new Connection(file, { readOnly: true, busyMs: READER_BUSY_MS, immutable });
  try {
    return readCoverageRequestIn(connection);
  } finally {
    connection.close();
  }
};
