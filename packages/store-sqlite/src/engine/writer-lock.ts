import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { translateEngineError } from "./engine-errors.ts";
import { assertRegularFile, realFile } from "./store-path.ts";

/** The lock of the one writer of a store, or of its documents, for its whole life. */
export interface WriterLock {
  release(): void;
}

/**
 * Takes the writer's lock of a store file, or refuses at once.
 *
 * The lock is an exclusive transaction on an empty SQLite file next to the store: the operating system releases it
 * when the process ends in any way. Locking the store itself would block readers too. The file is not removed,
 * because that would race with the next writer.
 *
 * @throws LamplightError `STORE__LOCKED` while another writer lives, `STORE__READ_ONLY` where nothing can be written,
 * `STORE__NOT_A_STORE` for what is no file
 */
export const takeWriterLock = (file: string): WriterLock => takeLock(file, "-lock");

/**
 * Takes the lock of the one writer of documents, in the same way. The store's writer has another lock.
 *
 * @throws LamplightError `STORE__LOCKED`, `STORE__READ_ONLY`, `STORE__NOT_A_STORE`
 */
export const takeDocumentsLock = (file: string): WriterLock => takeLock(file, "-documents-lock");

const takeLock = (file: string, suffix: string): WriterLock => {
  assertRegularFile(file);
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(resolve(realFile(file) + suffix), { timeout: 0 });
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    const known = translateEngineError(error, file);
    if (isLamplightError(known, "STORE__FILE_LOCKED"))
      throw new LamplightError("STORE__LOCKED", { store: file }, { cause: error });
    // The lock's own file cannot be created. If the store does not exist either, its creation reports that.
    throw isLamplightError(known, "STORE__MISSING")
      ? new LamplightError("STORE__READ_ONLY", { store: file })
      : known;
  }
  const held = database;
  return {
    release: () => {
      if (held.isOpen) held.close();
    },
  };
};
