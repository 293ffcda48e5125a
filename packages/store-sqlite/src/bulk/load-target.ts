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
import { takeWriterLock, type WriterLock } from "../engine/writer-lock.ts";

const syncFile = promisify(fdatasync);

/** The place a bulk load ends in, and the folder next to it that everything is built in. */
export interface LoadTarget {
  readonly file: string;
  /** Removed by anyone who finished with it; a later run of the same load may use what lies there. */
  readonly folder: string;
  /** The database while it is built. */
  readonly draft: string;
  /** What waits until the account table of the draft is written. */
  readonly beside: string;
  readonly lock: WriterLock;
}

/**
 * Takes the writer's lock of the store, and makes sure that nothing lies there: no file, or a store without content.
 *
 * @throws LamplightError `STORE__LOCKED`, `STORE__NOT_EMPTY`, `STORE__NOT_A_STORE`, `STORE__MISSING` (no such folder),
 * `STORE__READ_ONLY`
 */
export const takeLoadTarget = (file: string): LoadTarget => {
  if (!existsSync(dirname(file))) throw new LamplightError("STORE__MISSING", { store: dirname(file) });
  const lock = takeWriterLock(file);
  const folder = `${file}.load`;
  try {
    assertEmpty(file);
    mkdirSync(folder, { recursive: true });
    return { file, folder, draft: join(folder, "draft.db"), beside: join(folder, "beside.db"), lock };
  } catch (error) {
    // A load that was stopped right after it put the store here left its folder behind.
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

/** Removes a draft that an earlier run may have left, half or whole. */
export const removeDraft = ({ draft, beside }: LoadTarget): void => {
  for (const file of [draft, beside])
    for (const suffix of ["", "-wal", "-shm", "-journal", "-lock"]) rmSync(file + suffix, { force: true });
};

/** Gives up before anything was made; what an interrupted load may go on from stays. */
export const leaveLoadTarget = (target: LoadTarget): void => {
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

/** Puts the finished draft in its place, in one step; it is on the disk before and after. */
export const publishDraft = ({ draft, file }: LoadTarget): void => {
  syncPath(draft);
  // Logs of the empty store that lay there must not be taken for the new one's.
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

/** Has what was written so far brought to the disk, without waiting, so that little is left to wait for at the end. */
export class SyncAhead {
  readonly #file: number;
  #syncing: Promise<void> | null = null;

  constructor({ draft }: LoadTarget) {
    this.#file = openSync(draft, "r");
  }

  /** Does nothing while the last one is not done. */
  start(): void {
    this.#syncing ??= syncFile(this.#file)
      // Anyone who syncs last hears of a broken disk.
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
