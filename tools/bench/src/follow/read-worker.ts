import { reads } from "@lamplight/core";
/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
// A reader on a thread of its own: one view and one account at a time, for as long as it is reported to.
import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { openSqliteReader } from "@lamplight/store-sqlite";

export interface ReadData {
  readonly file: string;
  readonly addresses: readonly Uint8Array[];
}

const { file, addresses } = workerData as ReadData;
const reader = openSqliteReader({ file });
let reading = new AbortController();
let times: number[] = [];

parentPort!.on("message", (order: "start" | "stop") => {
  if (order === "start") void read();
  else {
    reading.abort();
    parentPort!.postMessage(times);
  }
});

const read = async (): Promise<void> => {
  reading = new AbortController();
  const { signal } = reading;
  times = [];
  for (let next = 0; !signal.aborted; next += 1) {
    const startMs = performance.now();
    const view = await reader.openView("finalized");
    await view.read(reads.account(addresses[next % addresses.length]!));
    view.close();
    times.push(performance.now() - startMs);
    await setImmediate();
  }
};
