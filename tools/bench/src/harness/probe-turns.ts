// Is loaded before a server starts, and measures its event loop: processor time of each turn of the main thread.
import { isMainThread } from "node:worker_threads";

export interface TurnsReport {
  /** Milliseconds of each turn that did something. */
  readonly turns: readonly number[];
  readonly peakBytes: number;
}

const IDLE_MS = 0.2;

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

if (isMainThread) {
  let turns: number[] = [];
  let peakBytes = 0;
  let before = cpuMs();
  const watch = (): void => {
    const now = cpuMs();
    if (now - before > IDLE_MS) {
      turns.push(now - before);
      peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    }
    before = cpuMs();
    setImmediate(watch);
  };
  setImmediate(watch);
  process.on("message", () => {
    process.send!({ turns, peakBytes } satisfies TurnsReport);
    turns = [];
    peakBytes = 0;
  });
}
