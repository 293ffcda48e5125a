import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFile } from "../../test/temporary-file.ts";
import { CheckpointThread } from "./checkpoint-thread.ts";

const COMMITS = 120;
const ROWS_PER_COMMIT = 40;
const ROW_BYTES = 4000;
const RESTART_PAGES = 200;
const PAGE_BYTES = 4096;

/** Views overlap: the next begins before the last one ends, so one is always open. */
const OVERLAP_MS = 25;

/** Readers in another thread act as another process would. */
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
}, ${OVERLAP_MS});
`;

const startReadersElsewhere = async (file: string): Promise<() => Promise<unknown>> => {
  const readers = new Worker(readersCode, { eval: true, workerData: file });
  await once(readers, "message");
  return () => readers.terminate();
};

/** On the thread of the writer: they end when it lets them. */
const startReadersHere = async (file: string): Promise<() => Promise<unknown>> => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const view = async (): Promise<void> => {
    const reader = new DatabaseSync(file, { readOnly: true });
    while (!signal.aborted) {
      reader.exec("BEGIN");
      reader.prepare("SELECT count(*) FROM rows").get();
      await sleep(2 * OVERLAP_MS);
      reader.exec("COMMIT");
    }
    reader.close();
  };
  const views = [view(), sleep(OVERLAP_MS).then(view)];
  await sleep(2 * OVERLAP_MS);
  return () => {
    stopping.abort();
    return Promise.all(views);
  };
};

test.each([
  ["in other processes", startReadersElsewhere],
  ["on the writer's own thread", startReadersHere],
])("the log does not grow under views that overlap without a pause, %s", async (_, startReaders) => {
  const { file, remove } = temporaryFile();
  const writer = new DatabaseSync(file, { timeout: 5000 });
  writer.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = 0; CREATE TABLE rows (id INTEGER PRIMARY KEY, bytes BLOB)`);
  const stopReaders = await startReaders(file);
  const failures: Error[] = [];
  const thread = new CheckpointThread(
    file,
    { onFailure: (error) => failures.push(error), onRefused: () => {} },
    { restartPages: RESTART_PAGES, busyMs: 1000 },
  );
  onTestFinished(async () => {
    await thread.stop();
    await stopReaders();
    writer.close();
    remove();
  });
  const put = writer.prepare("INSERT OR REPLACE INTO rows VALUES (?, ?)");
  const commit = async (): Promise<void> => {
    await thread.restarting;
    writer.exec("BEGIN IMMEDIATE");
    for (let row = 0; row < ROWS_PER_COMMIT; row += 1) put.run(row, Buffer.alloc(ROW_BYTES, row));
    writer.exec("COMMIT");
    thread.committed();
    // A writer that has more to do goes on at once.
    await sleep(1);
  };
  const logBytes = (): number => statSync(`${file}-wal`).size;
  // Until the thread has come up, the log grows as it likes, and its file stays as large.
  while (thread.restarting === null) await commit();
  const before = logBytes();
  for (let count = 0; count < COMMITS; count += 1) await commit();
  expect(failures).toEqual([]);
  expect(logBytes() - before).toBeLessThan((COMMITS * ROWS_PER_COMMIT * PAGE_BYTES) / 2);
});

test("a view that stays open holds commits up now and then, and no more", async () => {
  const { file, remove } = temporaryFile();
  const writer = new DatabaseSync(file, { timeout: 5000 });
  writer.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
    CREATE TABLE rows (id INTEGER PRIMARY KEY, bytes BLOB)`);
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM rows").get();
  const thread = new CheckpointThread(
    file,
    { onFailure: () => {}, onRefused: () => {} },
    { restartPages: RESTART_PAGES, busyMs: 5 },
  );
  onTestFinished(async () => {
    await thread.stop();
    reader.close();
    writer.close();
    remove();
  });
  const put = writer.prepare("INSERT OR REPLACE INTO rows VALUES (?, ?)");
  let waits = 0;
  for (let commit = 0; commit < COMMITS; commit += 1) {
    if (thread.restarting !== null) waits += 1;
    await thread.restarting;
    writer.exec("BEGIN IMMEDIATE");
    for (let row = 0; row < ROWS_PER_COMMIT; row += 1) put.run(row, Buffer.alloc(ROW_BYTES, commit));
    writer.exec("COMMIT");
    thread.committed();
    await sleep(1);
  }
  const retries = ((COMMITS * ROWS_PER_COMMIT) / RESTART_PAGES - 1) * 4 + 1;
  expect(waits).toBeGreaterThan(0);
  expect(waits).toBeLessThanOrEqual(Math.ceil(retries));
});
