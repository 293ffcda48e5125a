import { LamplightError } from "@lamplight/errors";
import { parsePostgresUrl } from "./engine/location.ts";
import { openSession } from "./engine/open-session.ts";
import type { Session } from "./engine/session.ts";
import { READ_STATEMENT_TIMEOUT_MS } from "./engine/settings.ts";
import { assertExists, assertMigrated, assertSchemaIsCurrent } from "./schema/migrate.ts";
import { readCoverageRequest, replaceRequest } from "./writes/coverage-requests.ts";

/** The follower replaces a request once. Other commands may do so in between. */
const ATTEMPTS_MAX = 10;

/**
 * Changes what is asked for of the coverage of a store. Another process may write the store.
 *
 * @param edit - gets the request that waits, as JSON; null = none. What it returns replaces it; null = it is removed
 * @throws LamplightError of the STORE family
 */
export const requestPostgresCoverage = async (
  url: string,
  edit: (known: string | null) => string | null,
): Promise<void> => {
  await withSession(url, "writer", async (session, schema) => {
    await assertMigrated(session, schema);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const known = await readCoverageRequest(session);
      const request = edit(known);
      if (request === known || (await replaceRequest(session, known, request))) return;
    }
    throw new LamplightError("STORE__LOCKED", { store: session.store });
  });
};

/**
 * Reads the request that waits, as JSON; null = none. A user who may only read can do so, and a standby too.
 *
 * @throws LamplightError of the STORE family
 */
export const readPostgresCoverageRequest = (url: string): Promise<string | null> =>
  withSession(url, "reader", async (session, schema) => {
    await assertSchemaIsCurrent(session, schema);
    return readCoverageRequest(session);
  });

const withSession = async <Result>(
  url: string,
  role: "reader" | "writer",
  use: (session: Session, schema: string) => Promise<Result>,
): Promise<Result> => {
  const location = parsePostgresUrl(url);
  const session = await openSession(location, { role, statementTimeoutMs: READ_STATEMENT_TIMEOUT_MS });
  try {
    await assertExists(session, location.schema);
    return await use(session, location.schema);
  } finally {
    await session.close();
  }
};
