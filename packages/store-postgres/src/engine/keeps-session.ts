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
export const assertKeepsSession = async (location: PostgresLocation, session: Session): Promise<void> => {
  let second: Session | null = null;
  try {
    second = await Session.open(location, { role: "watch", replyTimeoutMs: SERVER_SILENCE_MS });
    for (let attempt = 0; attempt < POOLER_PROBES; attempt += 1) await probe(session, second);
  } catch (error) {
    // A pooler that keeps sessions may have no second one to give.
    if (!isLamplightError(error, "STORE__UNREACHABLE")) throw error;
  } finally {
    await second?.close();
  }
};

const probe = async (session: Session, second: Session): Promise<void> => {
  const before = await readBackend(session);
  const [taken] = await second.begin(readBackendSql);
  if (taken?.[0] === before || (await readBackend(session)) !== before)
    throw new LamplightError("STORE__POOLED", { store: session.store });
  await second.commit();
};

const readBackend = async (session: Session): Promise<unknown> =>
  (await session.execute(readBackendSql, SERVER_SILENCE_MS))[0]?.[0];
