import { linkSync, rmSync } from "node:fs";
import type { Watermark } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { Connection } from "../engine/connection.ts";
import { WRITER_BUSY_MS } from "../engine/settings.ts";
import { takeWriterLock } from "../engine/writer-lock.ts";
import { assertQuickCheck } from "../integrity/assert-quick-check.ts";
import { prepareReadHead } from "../queries/read-head.ts";
import { assertSchemaIsCurrent } from "../schema/migrate.ts";

/** Pages that a backup copies between two checks of the signal. */
const BACKUP_STEP_PAGES = 4096;

export interface BackupOptions {
  readonly from: string;
  /** Path of the backup; no file may be there. */
  readonly to: string;
  /** @param share - 0 to 1 */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Copies a store file at its last commit, while any process may be writing it: page by page, in one read
 * transaction. The pages and the head row of the copy are checked before it gets its name.
 *
 * It is a separate store: a search index saved next to the original does not fit it.
 *
 * @returns its slot; null where nothing was ever indexed
 * @throws LamplightError `STORE__EXISTS`, `STORE__MISSING`, `STORE__FULL`, `STORE__CORRUPT` and others of the STORE
 * family
 */
export const backupSqliteStore = async (options: BackupOptions): Promise<Watermark | null> => {
  const lock = takeWriterLock(options.to);
  const partial = `${options.to}.partial`;
  try {
    removeDatabase(partial);
    const head = await copyPages(options, partial);
    finishCopy(partial, head, options.from);
    giveName(partial, options.to);
    return head.slot === null ? null : { slot: head.slot, blockhash: head.blockhash };
  } finally {
    removeDatabase(partial);
    lock.release();
  }
};

type Head = ReturnType<ReturnType<typeof prepareReadHead>>;

const copyPages = async ({ from, onProgress, signal }: BackupOptions, partial: string): Promise<Head> => {
  const source = new Connection(from, { readOnly: true, busyMs: WRITER_BUSY_MS });
  try {
    assertSchemaIsCurrent(source);
    // The open transaction prevents writers from restarting the copy, and its head is that of the copy.
    source.beginRead();
    const head = prepareReadHead(source)();
    await source.backup(partial, BACKUP_STEP_PAGES, (share) => {
      signal?.throwIfAborted();
      onProgress?.(share);
    });
    signal?.throwIfAborted();
    return head;
  } finally {
    source.close();
  }
};

const finishCopy = (partial: string, expected: Head, from: string): void => {
  const copy = new Connection(partial, { readOnly: false, busyMs: WRITER_BUSY_MS });
  try {
    assertQuickCheck(copy, undefined, from);
    const found = prepareReadHead(copy)();
    if (JSON.stringify(found, textOfBigints) !== JSON.stringify(expected, textOfBigints)) {
      throw new LamplightError("STORE__CORRUPT", { store: partial, reason: "its head row is another one" });
    }
    copy.execute("UPDATE meta SET value = lower(hex(randomblob(16))) WHERE key = 'store_id'");
    copy.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    copy.close();
  }
};

const textOfBigints = (_key: string, value: unknown): unknown =>
  typeof value === "bigint" ? value.toString() : value;

/** A hard link fails if a file has appeared there. The first name is removed with the rest. */
const giveName = (partial: string, file: string): void => {
  try {
    linkSync(partial, file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw new LamplightError("STORE__EXISTS", { store: file }, { cause: error });
    }
    throw error;
  }
};

const removeDatabase = (file: string): void => {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
};
