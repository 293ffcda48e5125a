import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { Connection } from "../engine/connection.ts";
import { APPLICATION_ID } from "../engine/settings.ts";
import { realFile } from "../engine/store-path.ts";
import { takeWriterLock, type WriterLock } from "../engine/writer-lock.ts";

const syncFile = promisify(fdatasync);

/** The file that a bulk load creates, and the folder next to it where it is built. */
export interface LoadTarget {
  readonly file: string;
  /** The load removes it at its end. After an interruption, the same load can reuse its files. */
  readonly folder: string;
  /** The database while it is built. */
  readonly draft: string;
  /** Rows of other tables, until the account table is written. */
  readonly otherTables: string;
  readonly lock: WriterLock;
}

/**
 * Takes the writer's lock of the store, and checks that there is no file, or an empty store.
 *
 * @throws LamplightError `STORE__LOCKED`, `STORE__NOT_EMPTY`, `STORE__NOT_A_STORE`, `STORE__MISSING` (no such folder),
 * `STORE__READ_ONLY`
 */
export const lockLoadTarget = (given: string): LoadTarget => {
  // The rename would replace a symbolic link, and cannot move the draft to another file system.
  const file = realFile(given);
  if (!existsSync(dirname(file))) throw new LamplightError("STORE__MISSING", { store: dirname(file) });
  const lock = takeWriterLock(file);
  const folder = `${file}.load`;
  try {
    assertEmpty(file);
    mkdirSync(folder, { recursive: true });
    return {
      file,
      folder,
      draft: join(folder, "draft.db"),
      otherTables: join(folder, "other-tables.db"),
      lock,
    };
  } catch (error) {
    // A load that was stopped right after the rename has left its folder.
    if (isLamplightError(error, "STORE__NOT_EMPTY")) rmSync(folder, { recursive: true, force: true });
    lock.release();
    throw error;
  }
};

const contentTables = ["account", "account_collision", "tombstone", "asset", "ledger", "asset_seen"];

const assertEmpty = (file: string): void => {
  if (!existsSync(file) || statSync(file).size === 0) return;
  const connection = new Connection(file, { readOnly: true, busyMs: 0 });
  try {
    if (connection.readNumber("PRAGMA application_id") !== APPLICATION_ID) {
      if (connection.readNumber("SELECT count(*) FROM sqlite_schema") === 0) return;
      const reason = "an SQLite file of another application";
      throw new LamplightError("STORE__NOT_A_STORE", { store: file, reason });
    }
    const holdsRows = contentTables.some(
      (table) => connection.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined,
    );
    const hasSlot = connection.readNumber("SELECT count(*) FROM head WHERE slot IS NOT NULL") > 0;
    if (holdsRows || hasSlot) throw new LamplightError("STORE__NOT_EMPTY", { store: file });
  } finally {
    connection.close();
  }
};

/** Removes files of an interrupted run. */
export const removeDraft = ({ draft, otherTables }: LoadTarget): void => {
  for (const file of [draft, otherTables])
    for (const suffix of ["", "-wal", "-shm", "-journal", "-lock", "-documents-lock"])
      rmSync(file + suffix, { force: true });
};

/** Ends before anything was written. Files that an interrupted load can reuse stay. */
export const releaseLoadTarget = (target: LoadTarget): void => {
  try {
    removeDraft(target);
    removeEmptyFolder(target);
  } finally {
    target.lock.release();
  }
};

export const removeEmptyFolder = ({ folder }: LoadTarget): void => {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOTEMPTY")) throw error;
  }
};

/** Renames the finished file to its place. The file is synced before, the folder after. */
export const publishDraft = ({ draft, file }: LoadTarget): void => {
  syncPath(draft);
  // SQLite would apply the logs of the replaced empty store to the new file.
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
  renameSync(draft, file);
  syncPath(dirname(file));
};

const syncPath = (path: string): void => {
  const open = openSync(path, "r");
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
};

/** Starts a sync of what was written so far, without waiting, so that the last sync is short. */
export class SyncAhead {
  readonly #file: number;
  #syncing: Promise<void> | null = null;

  constructor({ draft }: LoadTarget) {
    this.#file = openSync(draft, "r");
  }

  /** Does nothing while a sync is running. */
  start(): void {
    this.#syncing ??= syncFile(this.#file)
      // A disk error is reported by the last sync.
      .catch(() => undefined)
      .finally(() => {
        this.#syncing = null;
      });
  }

  async close(): Promise<void> {
    await this.#syncing;
    closeSync(this.#file);
  }
}
