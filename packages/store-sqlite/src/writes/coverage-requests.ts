import { coverageRequestKey, type CoverageRequests } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";
import { assertSchemaIsCurrent } from "../schema/migrate.ts";

/** Reads and takes requests to change the coverage; see the port. */
export const prepareCoverageRequests = (connection: Connection): CoverageRequests => {
  const readRequest = prepareReadRequest(connection);
  const putRequest = preparePutRequest(connection);
  const put = connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
  return {
    read: async () => readRequest(),
    take: async (request, coverage, rest) =>
      connection.write(() => {
        if (readRequest() !== request) return false;
        put.run("coverage", JSON.stringify(coverage));
        putRequest(rest);
        connection.execute("UPDATE head SET settings_revision = settings_revision + 1");
        return true;
      }),
  };
};

const prepareReadRequest = (connection: Connection): (() => string | null) => {
  const read = connection.prepare("SELECT value FROM meta WHERE key = ?");
  return () => (read.get(coverageRequestKey)?.[0] as string | undefined) ?? null;
};

const preparePutRequest = (connection: Connection): ((request: string | null) => void) => {
  const remove = connection.prepare("DELETE FROM meta WHERE key = ?");
  const put = connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
  return (request) => {
    if (request === null) remove.run(coverageRequestKey);
    else put.run(coverageRequestKey, request);
  };
};

/**
 * Changes the request in a store file, next to the process that writes the store.
 *
 * @param edit - gets the request that waits, as JSON; null = none. What it returns replaces it; null = it is removed
 * @throws LamplightError `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`, `STORE__NOT_A_STORE`, `STORE__FILE_LOCKED`
 */
export const requestCoverageIn = (
  connection: Connection,
  edit: (known: string | null) => string | null,
): void => {
  assertSchemaIsCurrent(connection);
  const readRequest = prepareReadRequest(connection);
  const putRequest = preparePutRequest(connection);
  connection.write(() => putRequest(edit(readRequest())));
};

/**
 * Reads the request in a store file, as JSON; null = nothing is asked for.
 *
 * @throws LamplightError `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`, `STORE__NOT_A_STORE`
 */
export const readCoverageRequestIn = (connection: Connection): string | null => {
  assertSchemaIsCurrent(connection);
  return prepareReadRequest(connection)();
};
