/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
// A thread of its own, with nothing but the engine: see `CheckpointThread`.

import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

export interface CheckpointData {
  readonly file: string;
  /** How long making the log restart may wait for readers. */
  readonly busyMs: number;
}

export type CheckpointOrder =
  /** Move what can be moved. Commits are numbered. */
  | { readonly kind: "committed"; readonly commit: number }
  /** Make the next commit restart the log. */
  | { readonly kind: "restart" }
  | { readonly kind: "stop" };

export type CheckpointAnswer =
  /** As far as views allow, up to that commit at least. */
  | { readonly kind: "moved"; readonly commit: number; readonly logPages: number }
  /** Whether it does; readers that stay open keep it from that. */
  | { readonly kind: "restarted"; readonly isDone: boolean };

const { file, busyMs } = workerData as CheckpointData;
const database = new DatabaseSync(resolve(file), { timeout: busyMs });
database.exec("PRAGMA wal_autocheckpoint = 0");
// Waits for no one and lets no one wait. Busy is an answer, not an error: the next one does it.
const passive = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
/**
 * A log that is always read or written never ends by itself: this waits for the readers of the moment. What is left to
 * move by then is little.
 */
const restart = database.prepare("PRAGMA wal_checkpoint(RESTART)");

const SQLITE_FULL = 13;

/** The newest commit that is not moved yet; null = none is waiting. */
let due: number | null = null;

const answer = (reported: CheckpointAnswer): void => parentPort?.postMessage(reported);

const move = (): void => {
  const commit = due;
  due = null;
  if (commit === null || !database.isOpen) return;
  const moved = unlessFull(() => passive.get() as { readonly log: number });
  if (moved !== null) answer({ kind: "moved", commit, logPages: moved.log });
};

/** What was not moved for lack of room is moved after a later commit. */
const unlessFull = <Result>(checkpoint: () => Result): Result | null => {
  try {
    return checkpoint();
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode !== SQLITE_FULL) throw error;
    return null;
  }
};

parentPort?.on("message", (order: CheckpointOrder) => {
  switch (order.kind) {
    case "committed":
      // Commits that came while one was moved are moved at once.
      if (due === null) setImmediate(move);
      due = order.commit;
      return;
    case "restart": {
      const restarted = unlessFull(() => restart.get() as { readonly busy: number });
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
