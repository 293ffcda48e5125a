import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFile } from "../testing/temporary-file.ts";
import { CheckpointThread } from "./checkpoint-thread.ts";

const COMMITS = 120;
const ROWS_PER_COMMIT = 40;
const ROW_BYTES = 4000;
const RESTART_PAGES = 200;
const PAGE_BYTES = 4096;

/** Another thread, as another process would: the next view begins before the last one ends, so one is always open. */
const readersCode = `
const { DatabaseSync } = require("node:sqlite");
const { parentPort, workerData } = require("node:worker_threads");
const readers = [0, 1].map(() => new DatabaseSync(workerData, { readOnly: true }));
let turn = 0;
setInterval(() => {
  const [next, last] = [readers[turn % 2], readers[(turn + 1) % 2]];
  next.exec("BEGIN");
  next.prepare("SELECT count(*) FROM rows").get();
  if (turn > 0) last.exec("COMMIT");
  turn += 1;
  if (turn === 2) parentPort.postMessage("reading");
}, 60);
`;

test("the log does not grow beside views that follow each other without a pause", async () => {
  const { file, remove } = temporaryFile();
  const writer = new DatabaseSync(file, { timeout: 5000 });
  writer.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = 0; CREATE TABLE rows (id INTEGER PRIMARY KEY, bytes BLOB)`);
  const readers = new Worker(readersCode, { eval: true, workerData: file });
  await once(readers, "message");
  const failures: Error[] = [];
  const thread = new CheckpointThread(file, (error) => failures.push(error), {
    restartPages: RESTART_PAGES,
    busyMs: 1000,
  });
  onTestFinished(async () => {
    await thread.stop();
    await readers.terminate();
    writer.close();
    remove();
  });
  const put = writer.prepare("INSERT OR REPLACE INTO rows VALUES (?, ?)");
  for (let commit = 0; commit < COMMITS; commit += 1) {
    writer.exec("BEGIN IMMEDIATE");
    for (let row = 0; row < ROWS_PER_COMMIT; row += 1) put.run(row, Buffer.alloc(ROW_BYTES, commit));
    writer.exec("COMMIT");
    thread.committed();
    await sleep(15);
  }
  expect(failures).toEqual([]);
  const written = COMMITS * ROWS_PER_COMMIT * PAGE_BYTES;
  expect(statSync(`${file}-wal`).size).toBeLessThan(written / 2);
});
