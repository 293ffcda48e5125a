/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
// A thread with one connection: see `CheckpointThread`.

import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { isWriteRefused } from "./engine-errors.ts";

export interface CheckpointData {
  readonly file: string;
  /** Milliseconds for which the restart of the log may wait for readers. */
  readonly busyMs: number;
  /** Milliseconds until pages are tried again that the disk refused. */
  readonly retryMs: number;
}

export type CheckpointOrder =
  /** Checkpoint as many pages as possible. Commits are numbered. */
  | { readonly kind: "committed"; readonly commit: number }
  /** Make the next commit restart the log. */
  | { readonly kind: "restart" }
  | { readonly kind: "stop" };

export type CheckpointAnswer =
  /** Checkpointed up to that commit at least, as far as views allow. */
  | {
      readonly kind: "moved";
      readonly commit: number;
      readonly logPages: number;
      /** False where readers kept every page in the log. */
      readonly hasMoved: boolean;
    }
  /** Whether it restarts. Open readers prevent that. */
  | { readonly kind: "restarted"; readonly isDone: boolean }
  /** The disk refused pages. They are tried again after some time, and after the next commit. */
  | { readonly kind: "refused"; readonly reason: string };

const { file, busyMs, retryMs } = workerData as CheckpointData;
const database = new DatabaseSync(resolve(file), { timeout: busyMs });
database.exec("PRAGMA wal_autocheckpoint = 0");
// Neither waits nor blocks others. Busy is a result, not an error: the next attempt continues.
const passive = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
/**
 * A log that is always read or written never ends by itself, so this waits for the current readers. Few pages are
 * left by then.
 */
const restart = database.prepare("PRAGMA wal_checkpoint(RESTART)");

/** The newest commit that is not checkpointed; null = none. */
let due: number | null = null;
let newest = 0;
/** Pages of the log that are in the file. */
let lastCheckpointed = 0;
let retry: NodeJS.Timeout | null = null;

const answer = (reported: CheckpointAnswer): void => parentPort?.postMessage(reported);

const move = (): void => {
  const commit = due;
  due = null;
  if (commit === null || !database.isOpen) return;
  const moved = unlessRefused(() => passive.get() as { readonly log: number; readonly checkpointed: number });
  if (moved === null) return;
  const { log, checkpointed } = moved;
  answer({ kind: "moved", commit, logPages: log, hasMoved: checkpointed !== lastCheckpointed });
  lastCheckpointed = checkpointed;
};

/** No later commit may come, so refused pages are also tried again without one. */
const tryAgain = (): void => {
  retry ??= setTimeout(() => {
    retry = null;
    due ??= newest;
    move();
  }, retryMs).unref();
};

const unlessRefused = <Result>(checkpoint: () => Result): Result | null => {
  try {
    return checkpoint();
  } catch (error) {
    if (!isWriteRefused(error)) throw error;
    answer({ kind: "refused", reason: (error as Error).message });
    tryAgain();
    return null;
  }
};

parentPort?.on("message", (order: CheckpointOrder) => {
  switch (order.kind) {
    case "committed":
      // Commits that arrived during a checkpoint are handled at once.
      if (due === null) setImmediate(move);
      due = order.commit;
      newest = order.commit;
      return;
    case "restart": {
      const restarted = unlessRefused(() => restart.get() as { readonly busy: number });
      answer({ kind: "restarted", isDone: restarted?.busy === 0 });
      return;
    }
    case "stop":
      database.close();
      parentPort?.close();
      return;
    default:
      order satisfies never;
  }
});
