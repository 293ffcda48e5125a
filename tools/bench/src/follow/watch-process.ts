// A process of its own next to the writer's: shows when it first saw each root. Argument: the file of the store.
import { setTimeout as sleep } from "node:timers/promises";
import type { Slot } from "@lamplight/core";
import { openSqliteReader } from "@lamplight/store-sqlite";

/** Every root seen, with milliseconds since 1970. */
export type Sighting = readonly [slot: Slot, atMs: number];

const POLL_MS = 2;

const reader = openSqliteReader({ file: process.argv[2]! });
const seen: Sighting[] = [];
const stopping = new AbortController();
process.once("message", () => stopping.abort());
let last = -1;
/** After the order to stop, once more: a process that had no time missed the last root. */
let isLast = false;
while (!isLast) {
  isLast = stopping.signal.aborted;
  const view = await reader.openView("finalized");
  if (view.slot !== last) seen.push([view.slot, performance.timeOrigin + performance.now()]);
  last = view.slot;
  view.close();
  await sleep(POLL_MS);
}
reader.close();
process.send!(seen);
