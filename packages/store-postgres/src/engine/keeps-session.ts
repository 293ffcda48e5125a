import { isLamplightError, LamplightError } from "@lamplight/errors";
import type { PostgresLocation } from "./location.ts";
import { Session } from "./session.ts";
import { POOLER_PROBES, SERVER_SILENCE_MS } from "./settings.ts";

const readBackendSql = "SELECT pg_backend_pid()";

/**
 * Refuses a pooler that gives each transaction another session: the writer's lock would stay with one of them. Such a
 * pooler gives the session that we do not use at the moment to a second connection.
 *
 * @throws LamplightError `STORE__POOLED`
 */
export const assertKeepsSession = async (location: PostgresLocation): Promise<void> => {
  const session = await openWatch(location);
  try {
    if (session.isPooled) await probe(location, session);
  } finally {
    await session.close();
  }
};

const probe = async (location: PostgresLocation, session: Session): Promise<void> => {
  const second = await openWatch(location);
  try {
    for (let attempt = 0; attempt < POOLER_PROBES; attempt += 1) {
      const before = await readBackend(session);
      const [taken] = await second.begin(readBackendSql);
      const after = await readBackend(session);
      await second.commit();
      if (taken?.[0] === before || after !== before)
        throw new LamplightError("STORE__POOLED", { store: location.name });
    }
  } catch (error) {
    // A pooler that keeps sessions may have no second one to give.
    if (!isLamplightError(error, "STORE__UNREACHABLE")) throw error;
  } finally {
    await second.close();
  }
};

const openWatch = (location: PostgresLocation): Promise<Session> =>
  Session.open(location, { role: "watch", replyTimeoutMs: SERVER_SILENCE_MS });

const readBackend = async (session: Session): Promise<unknown> =>
  (await session.execute(readBackendSql))[0]?.[0];
