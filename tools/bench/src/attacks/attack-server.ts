// The server that the attacks run against. It reports what it was made to spend, in a process of its own.
import { readFileSync } from "node:fs";
import { startSearchLife } from "@lamplight/search";
import { startServer } from "@lamplight/server";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { ATTACK_KEYS, type SpentReport } from "./attack-process.ts";

const [file, limits] = process.argv.slice(2);
const life = await startSearchLife({
  viewSource: openSqliteReader({ file: file! }),
  file: null,
  onError: (error) => console.error(error),
  onForeign: () => undefined,
});
await life.filled;
const server = await startServer({
  viewSource: life.viewSource,
  keys: ATTACK_KEYS,
  port: 0,
  docsDirectory: null,
  limits: JSON.parse(limits ?? "{}") as object,
});

const TICK_MS = 10;
let peakBytes = 0;
let peakHeapBytes = 0;
let holdMs = 0;

/** Without the pages of the store file that are mapped: the system takes those back as it likes. Null where it does not report. */
const ownBytes = (): number | null => {
  try {
    const found = /^RssAnon:\s+(\d+) kB/mu.exec(readFileSync("/proc/self/status", "latin1"))?.[1];
    return found === undefined ? null : Number(found) * 1024;
  } catch {
    return null;
  }
};

const ownTimeMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let tickedAtMs = ownTimeMs();
// Between two ticks the event loop went round once at least: what it used of the processor is one hold at most.
setInterval(() => {
  const nowMs = ownTimeMs();
  holdMs = Math.max(holdMs, nowMs - tickedAtMs);
  tickedAtMs = nowMs;
  const { rss, heapUsed, external } = process.memoryUsage();
  peakBytes = Math.max(peakBytes, ownBytes() ?? rss);
  peakHeapBytes = Math.max(peakHeapBytes, heapUsed + external);
}, TICK_MS);

process.on("message", () => {
  const report: SpentReport = {
    peakBytes,
    peakHeapBytes,
    holdMs,
    counts: server.counts(),
    usedMs: process.cpuUsage().user / 1000,
  };
  process.send!(report);
  peakBytes = 0;
  peakHeapBytes = 0;
  holdMs = 0;
});
process.send!({ url: server.url });
