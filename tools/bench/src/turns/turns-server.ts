// A server that measures its own event loop: processor time of each turn, reported on request by the parent process.
import { startSearchLife } from "@lamplight/search";
import { startServer } from "@lamplight/server";
import { openSqliteReader } from "@lamplight/store-sqlite";

const [file] = process.argv.slice(2);
const life = await startSearchLife({
  viewSource: openSqliteReader({ file: file! }),
  file: null,
  onError: (error) => console.error(error),
  onForeign: () => undefined,
});
await life.filled;
const server = await startServer({
  viewSource: life.viewSource,
  keys: ["bench-key-of-turns"],
  port: 0,
  docsDirectory: null,
});

/** Milliseconds of processor time of this thread, turn by turn, those that did something. */
let turns: number[] = [];
let peakBytes = 0;
const IDLE_MS = 0.2;

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
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
  process.send!({ turns, peakBytes });
  turns = [];
  peakBytes = 0;
});
process.send!({ url: server.url });
