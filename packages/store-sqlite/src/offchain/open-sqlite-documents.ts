import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { DocumentStore, OffchainStore } from "@lamplight/core";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { Connection } from "../engine/connection.ts";
import { OpenedFile } from "../engine/opened-file.ts";
import { promised } from "../engine/promised.ts";
import {
  DOCUMENTS_BUSY_MS,
  DOCUMENTS_RETRY_MS,
  DOCUMENTS_WAIT_MS,
  documentsPragmas,
} from "../engine/settings.ts";
import { takeDocumentsLock, takeWriterLock, type WriterLock } from "../engine/writer-lock.ts";
import { prepareReadAssetsChangedSince } from "../queries/read-asset-page.ts";
import { assertSchemaIsCurrent, migrate } from "../schema/migrate.ts";
import { prepareOffchainStore } from "./offchain-store.ts";

/**
 * Opens the documents of a store file for their one writer. Another process may write the store at the same time.
 *
 * @throws LamplightError `STORE__LOCKED` while another process writes documents; `STORE__MISSING`, `STORE__READ_ONLY`,
 * `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`
 */
export const openSqliteDocuments = ({ file }: { readonly file: string }): DocumentStore => {
  if (!existsSync(file)) throw new LamplightError("STORE__MISSING", { store: file });
  const lock = takeDocumentsLock(file);
  try {
    return openLocked(file, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
};

const openLocked = (file: string, lock: WriterLock): DocumentStore => {
  const connection = new Connection(file, { readOnly: false, busyMs: DOCUMENTS_BUSY_MS });
  try {
    migrateIfUnwritten(connection, file);
    for (const pragma of documentsPragmas) connection.execute(`PRAGMA ${pragma}`);
    return {
      offchain: patient(prepareOffchainStore(connection), new OpenedFile(file)),
      readAssetsChangedSince: promised(prepareReadAssetsChangedSince(connection)),
      close: async () => {
        connection.close();
        lock.release();
      },
    };
  } catch (error) {
    connection.close();
    throw error;
  }
};

/** A writer of the store has migrated it. Without one, an older schema is migrated here. */
const migrateIfUnwritten = (connection: Connection, file: string): void => {
  let writer: WriterLock | null = null;
  try {
    writer = takeWriterLock(file);
    migrate(connection);
  } catch (error) {
    if (writer !== null || !isLamplightError(error, "STORE__LOCKED")) throw error;
    assertSchemaIsCurrent(connection);
  } finally {
    writer?.release();
  }
};

/** Writes wait for the store's writer without blocking the process, and go to the file that was opened. */
const patient = (offchain: OffchainStore, opened: OpenedFile): OffchainStore => {
  const write = async <Result>(body: () => Promise<Result>): Promise<Result> => {
    const startedMs = performance.now();
    for (;;) {
      opened.checkRegularly();
      opened.assertThere();
      try {
        return await body();
      } catch (error) {
        const isOver = performance.now() - startedMs > DOCUMENTS_WAIT_MS;
        if (isOver || !isLamplightError(error, "STORE__FILE_LOCKED")) throw error;
      }
      await sleep(DOCUMENTS_RETRY_MS);
    }
  };
  return {
    ...offchain,
    writeRows: (rows) => write(() => offchain.writeRows(rows)),
    removeOrphans: (...asked) => write(async () => (await offchain.removeOrphans?.(...asked))!),
    dateRefreshes: (...asked) => write(() => offchain.dateRefreshes(...asked)),
    writeNotedSeq: (changeSeq) => write(() => offchain.writeNotedSeq(changeSeq)),
  };
};
