import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { translateEngineError } from "./engine-errors.ts";

/** Held by the one writer of a store for its whole life. */
export interface WriterLock {
  release(): void;
}

/**
 * Takes the writer's lock of a store file, or refuses at once.
 *
 * The lock is an exclusive transaction on an empty SQLite file next to the store: the operating system drops it when
 * the process ends, however it ends. Locking the store itself would shut the readers out too. The file stays behind,
 * since removing it would race with the next writer.
 *
 * @throws LamplightError `STORE__LOCKED` while another writer lives, `STORE__READ_ONLY` where nothing can be written
 */
export const takeWriterLock = (file: string): WriterLock => {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(resolve(`${file}-lock`), { timeout: 0 });
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    const known = translateEngineError(error, file);
    // The lock's own file cannot be made; that the store is not there yet is no news to who makes it.
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
