import { DatabaseSync } from "node:sqlite";
import { translateEngineError } from "./engine-errors.ts";

/** Held by the one writer of a store for its whole life. */
export interface WriterLock {
  release(): void;
}

/**
 * Takes the writer's lock of a store file, or refuses at once.
 *
 * The lock is an exclusive transaction on an empty SQLite file beside the store: the operating system drops it when
 * the process ends, however it ends. Locking the store itself would shut the readers out too. The file stays behind,
 * since removing it would race with the next writer.
 *
 * @throws LamplightError `STORE__LOCKED` while another writer lives, `STORE__READ_ONLY` where nothing can be written
 */
export const takeWriterLock = (file: string): WriterLock => {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(`${file}-lock`, { timeout: 0 });
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    throw translateEngineError(error, file);
  }
  const held = database;
  return {
    release: () => {
      if (held.isOpen) held.close();
    },
  };
};
