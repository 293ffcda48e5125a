// The lock of the one writer of off-chain documents. It is independent of the lock of the store's writer: both write at
// the same time, and share two values of the head row, which documents only raise.

import { LamplightError } from "@lamplight/errors";
import type { PostgresLocation } from "../engine/location.ts";
import type { Session } from "../engine/session.ts";
import { passingStatement, statement } from "../engine/statement.ts";
import { assertExists, assertSchemaIsCurrent, migrate } from "../schema/migrate.ts";
import { assertNoUnfinishedLoad } from "../schema/unfinished-load.ts";
import { WRITER_LOCK_CLASS, type WriterRole } from "../writes/writer-session.ts";

/** "LAMD" */
const DOCUMENTS_LOCK_CLASS = 0x4c_41_4d_44;
const epochKey = "documents_epoch";

const takeUntilCommit = statement(
  "SELECT pg_try_advisory_xact_lock($1::integer, hashtext(current_schema()))",
);
const takeStoreLock = passingStatement("SELECT pg_try_advisory_lock($1::integer, hashtext($2))");
const releaseStoreLock = passingStatement("SELECT pg_advisory_unlock($1::integer, hashtext($2))");
const raiseEpoch = statement(`INSERT INTO meta (key, value) VALUES ('${epochKey}', '1')
ON CONFLICT (key) DO UPDATE SET value = (meta.value::bigint + 1)::text RETURNING value`);
const readEpoch = statement(`SELECT value FROM meta WHERE key = '${epochKey}'`);
const keepEpoch = statement(`UPDATE meta SET value = $1 WHERE key = '${epochKey}' AND value = $1`);

/** The writer of documents, which runs in parallel with the store's. */
export const documentsRole: WriterRole = {
  lockClass: DOCUMENTS_LOCK_CLASS,
  begin: async (session, location) => {
    await assertExists(session, location.schema);
    await migrateIfUnwritten(session, location);
    await assertNoUnfinishedLoad(session);
    return Number((await session.get(raiseEpoch))?.[0]);
  },
  readEpoch: async (session) => Number((await session.get(readEpoch))?.[0]),
};

/** A writer of the store has migrated it. Without one, an older schema is migrated here, where the URL allows it. */
const migrateIfUnwritten = async (
  session: Session,
  { autoMigrates, schema }: PostgresLocation,
): Promise<void> => {
  if (!autoMigrates) return assertSchemaIsCurrent(session, schema);
  const [isFree] = (await session.get(takeStoreLock, WRITER_LOCK_CLASS, schema)) ?? [];
  if (isFree !== true) return assertSchemaIsCurrent(session, schema);
  try {
    await migrate(session, schema);
  } finally {
    // A session that failed is closed, which frees the lock; what it answers now would hide the cause.
    if (session.isUsable) await session.get(releaseStoreLock, WRITER_LOCK_CLASS, schema);
  }
};

/**
 * The last statement of a transaction that writes documents, as `assertStillWriter` is for the store.
 *
 * @throws LamplightError `STORE__LOCKED`
 */
export const assertStillWritesDocuments = async (session: Session, epoch: number): Promise<void> => {
  const kept = await session.run(keepEpoch, String(epoch));
  if (kept === 0) throw new LamplightError("STORE__LOCKED", { store: session.store });
};

/**
 * Takes the lock for one transaction of the store's own writer.
 *
 * @throws LamplightError `STORE__LOCKED` while another process writes documents
 */
export const lockDocuments = async (session: Session): Promise<void> => {
  const [isFree] = (await session.get(takeUntilCommit, DOCUMENTS_LOCK_CLASS)) ?? [];
  if (isFree !== true) throw new LamplightError("STORE__LOCKED", { store: session.store });
};
