/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
// A thread of its own, with nothing but the engine: see `CheckpointThread`.

import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

export interface CheckpointData {
  readonly file: string;
  /** Pages of the log beyond which the next commit is made to begin it anew. */
  readonly restartPages: number;
  /** How long that may wait for readers. */
  readonly busyMs: number;
}

export type CheckpointOrder = "committed" | "stop";

const RETRY_PARTS = 4;

const { file, restartPages, busyMs } = workerData as CheckpointData;
const database = new DatabaseSync(file, { timeout: busyMs });
database.exec("PRAGMA wal_autocheckpoint = 0");
// Waits for nobody and lets nobody wait. Busy is an answer, no error: then the next one does it.
const passive = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
/**
 * A log that is always read or written never ends by itself: this waits for the readers of the moment, while the writer
 * waits for it. What is left to move by then is little.
 */
const restart = database.prepare("PRAGMA wal_checkpoint(RESTART)");

let isDue = false;
/**
 * Where views stay open for long, waiting for them in vain at each commit would hold up every one of them, and the
 * views themselves where they live on the writer's thread: so the log may grow by a part before it is tried again.
 */
let wantedPages = restartPages;

const run = (): void => {
  isDue = false;
  if (!database.isOpen) return;
  const { log } = passive.get() as { readonly log: number };
  if (log <= wantedPages) return;
  const { busy } = restart.get() as { readonly busy: number };
  wantedPages = busy === 0 ? restartPages : log + Math.ceil(restartPages / RETRY_PARTS);
};

parentPort?.on("message", (order: CheckpointOrder) => {
  if (order === "stop") {
    database.close();
    parentPort?.close();
  } else if (!isDue) {
    isDue = true;
    // Commits that came while one was moved are moved at once.
    setImmediate(run);
  }
});
