// A thread of its own, with nothing but the engine: see `CheckpointThread`.

import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

export interface CheckpointData {
  readonly file: string;
  readonly everyMs: number;
}

const { file, everyMs } = workerData as CheckpointData;
const database = new DatabaseSync(file, { timeout: 0 });
database.exec("PRAGMA wal_autocheckpoint = 0");
const checkpoint = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");

// Busy is an answer, no error: then the next one does it.
const timer = setInterval(() => checkpoint.get(), everyMs);

parentPort?.once("message", () => {
  clearInterval(timer);
  database.close();
});
