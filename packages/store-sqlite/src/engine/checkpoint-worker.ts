/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
// A thread of its own, with nothing but the engine: see `CheckpointThread`.

import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

export interface CheckpointData {
  readonly file: string;
  /** How long making the log begin anew may wait for readers. */
  readonly busyMs: number;
}

/** `committed`: move what can be moved. `restart`: make the next commit begin the log anew. */
export type CheckpointOrder = "committed" | "restart" | "stop";

export type CheckpointAnswer =
  | { readonly kind: "moved"; readonly logPages: number }
  /** Whether it does; readers that stay open keep it from that. */
  | { readonly kind: "restarted"; readonly isDone: boolean };

const { file, busyMs } = workerData as CheckpointData;
const database = new DatabaseSync(file, { timeout: busyMs });
database.exec("PRAGMA wal_autocheckpoint = 0");
// Waits for nobody and lets nobody wait. Busy is an answer, no error: then the next one does it.
const passive = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
/**
 * A log that is always read or written never ends by itself: this waits for the readers of the moment. What is left to
 * move by then is little.
 */
const restart = database.prepare("PRAGMA wal_checkpoint(RESTART)");

let isDue = false;

const answer = (told: CheckpointAnswer): void => parentPort?.postMessage(told);

const move = (): void => {
  isDue = false;
  if (!database.isOpen) return;
  const { log } = passive.get() as { readonly log: number };
  answer({ kind: "moved", logPages: log });
};

parentPort?.on("message", (order: CheckpointOrder) => {
  if (order === "stop") {
    database.close();
    parentPort?.close();
  } else if (order === "restart") {
    const { busy } = restart.get() as { readonly busy: number };
    answer({ kind: "restarted", isDone: busy === 0 });
  } else if (!isDue) {
    isDue = true;
    // Commits that came while one was moved are moved at once.
    setImmediate(move);
  }
});
