// Is loaded before a server starts, and measures what the process is made to spend.
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** Since the last report; `usedMs` since the start. */
export interface SpentReport {
  /** Largest memory of the process in bytes, without files that are mapped. */
  readonly peakBytes: number;
  /** Longest stretch of processor time in which the event loop did not go round. */
  readonly holdMs: number;
  readonly usedMs: number;
}

const TICK_MS = 10;

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

if (isMainThread) {
  let peakBytes = 0;
  let holdMs = 0;
  let tickedAtMs = ownTimeMs();
  // Between two ticks the event loop went round once at least: what it used of the processor is one hold at most.
  setInterval(() => {
    const nowMs = ownTimeMs();
    holdMs = Math.max(holdMs, nowMs - tickedAtMs);
    tickedAtMs = nowMs;
    peakBytes = Math.max(peakBytes, ownBytes() ?? process.memoryUsage.rss());
  }, TICK_MS);
  process.on("message", () => {
    const usedMs = process.cpuUsage().user / 1000;
    process.send!({ peakBytes, holdMs, usedMs } satisfies SpentReport);
    peakBytes = 0;
    holdMs = 0;
  });
}
