import { LamplightError } from "@lamplight/errors";
import { parsePostgresUrl } from "./engine/location.ts";
import { openSession } from "./engine/open-session.ts";
import { READ_STATEMENT_TIMEOUT_MS } from "./engine/settings.ts";
import { assertExists, assertMigrated, assertSchemaIsCurrent } from "./schema/migrate.ts";
import { readCoverageRequest, replaceRequest } from "./writes/coverage-requests.ts";

/** The follower replaces a request once. Other commands may do so in between. */
const ATTEMPTS_MAX = 10;

/**
 * Changes what is asked for of the coverage of a store. Another process may write the store.
 *
 * @param edit - gets the request that waits, as JSON; null = none. What it returns replaces it; null = nothing changes
 * @throws LamplightError of the STORE family
 */
export const requestPostgresCoverage = async (
  url: string,
  edit: (known: string | null) => string | null,
): Promise<void> => {
  const location = parsePostgresUrl(url);
  const session = await openSession(location, {
    role: "writer",
    statementTimeoutMs: READ_STATEMENT_TIMEOUT_MS,
  });
  try {
    await assertExists(session, location.schema);
    await assertMigrated(session, location.schema);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const known = await readCoverageRequest(session);
      const request = edit(known);
      if (request === null || (await replaceRequest(session, known, request))) return;
    }
    throw new LamplightError("STORE__LOCKED", { store: session.store });
  } finally {
    await session.close();
  }
};

/**
 * Reads the request that waits, as JSON; null = none. A user who may only read can do so, and a standby too.
 *
 * @throws LamplightError of the STORE family
 */
export const readPostgresCoverageRequest = async (url: string): Promise<string | null> => {
  const location = parsePostgresUrl(url);
  const session = await openSession(location, {
    role: "reader",
    statementTimeoutMs: READ_STATEMENT_TIMEOUT_MS,
  });
  try {
    await assertExists(session, location.schema);
    await assertSchemaIsCurrent(session, location.schema);
    return await readCoverageRequest(session);
  } finally {
    await session.close();
  }
};
