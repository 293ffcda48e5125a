/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
// Real threads on a real port, over a store of two accounts.
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import type { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createSmallStore, smallAddress, type SmallStore } from "../../../test/small-store.ts";
import { defaultCosts } from "../../key-store/key-costs.ts";
import { defaultMetricsHost, defaultSettings, type ServeSettings } from "../../config/settings.ts";
import { type AccessLine, defaultAccessLog } from "../../log/access-settings.ts";
import type { Log } from "../../log/log.ts";
import { metricsText } from "../../metrics/metrics-text.ts";
import { startWorkers } from "./start-workers.ts";
import type { RunningWorkers } from "./running-workers.ts";

/** Connections enough for every worker to have some: the system spreads them by a hash. */
const CONNECTIONS = 48;

let store: SmallStore;
beforeAll(async () => {
  store = await createSmallStore();
});
afterAll(() => store.remove());

const said: string[] = [];
const lines: AccessLine[] = [];
const log: Log = {
  info: (_, message) => void said.push(message),
  warn: (_, message) => void said.push(message),
  error: (_, message) => void said.push(message),
};

const writeAccess = (line: AccessLine): void => void lines.push(line);

let running: RunningWorkers | null = null;
const threads: Worker[] = [];
const noteThread = (thread: Worker): void => void threads.push(thread);
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await running?.stop();
  running = null;
  process.off("worker", noteThread);
  threads.length = 0;
  said.length = 0;
  lines.length = 0;
});

const start = async (more: Partial<ServeSettings> = {}): Promise<RunningWorkers> => {
  process.on("worker", noteThread);
  const settings: ServeSettings = {
    ...defaultSettings,
    store: `sqlite:${store.file}`,
    keys: ["key"],
    port: 0,
    workers: 2,
    logLevel: "silent",
    accessLog: { ...defaultAccessLog, mode: "all" },
    traces: null,
    keyFiles: [],
    keyStore: null,
    keyCosts: defaultCosts,
    searchCache: tmpdir(),
    metricsHost: defaultMetricsHost,
    ...more,
  };
  const heartbeats = new SharedArrayBuffer(12);
  const parts = {
    settings,
    log,
    writeAccess,
    docsDirectory: null,
    liveStatus: null,
    relay: null,
    servedKeys: null,
  };
  running = await startWorkers({ ...parts, heartbeats });
  return running;
};

const open = async (count: number): Promise<readonly Socket[]> => {
  const opened = Array.from({ length: count }, () => connect(running!.port, "127.0.0.1"));
  sockets.push(...opened);
  for (const socket of opened) socket.on("error", () => undefined);
  await Promise.all(opened.map((socket) => once(socket, "connect")));
  return opened;
};

const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAccountInfo", params: [smallAddress] });
const request = (key: string): string =>
  `POST /v3/${key} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** The status; null where the connection was closed instead. */
const ask = async (socket: Socket, key = "key"): Promise<string | null> => {
  if (socket.destroyed || socket.readableEnded) return null;
  const answer = once(socket, "data").then(
    ([data]) => String(data).split(" ")[1]!,
    () => null,
  );
  const closed = once(socket, "close").then(() => null);
  socket.write(request(key));
  return Promise.race([answer, closed]);
};

const askAll = (all: readonly Socket[], key?: string) => Promise.all(all.map((socket) => ask(socket, key)));

const metricsLines = async (): Promise<readonly string[]> =>
  (await metricsText(running!.families(), "prometheus")).body.split("\n");

const callsAnswered = (count: number): string[] => [
  `lamplight_call_duration_seconds_count{method="getAccountInfo",outcome="ok"} ${count}`,
  `lamplight_call_duration_seconds_bucket{le="+Inf",method="getAccountInfo",outcome="ok"} ${count}`,
  `lamplight_http_request_duration_seconds_count{route="call",status="200"} ${count}`,
];

test("one address is answered by several workers, whose figures are added up", async () => {
  const { url, refresh, counts, load, readiness } = await start({
    limits: { ...defaultSettings.limits, wrongKeys: 1000 },
    metricsPort: 0,
  });
  expect(url).toBe(`http://127.0.0.1:${running!.port}`);
  const all = await open(CONNECTIONS);
  expect(await askAll(all)).toEqual(all.map(() => "200"));
  expect(await askAll(all, "wrong")).toEqual(all.map(() => "401"));
  await refresh();
  expect(counts().wrongKeys).toBe(CONNECTIONS);
  expect(load().connections).toBe(CONNECTIONS);
  const measured = await metricsLines();
  expect(measured).toEqual(expect.arrayContaining(callsAnswered(CONNECTIONS)));
  // One thread's part is in it: the heaps of both are.
  expect(measured.some((line) => line.startsWith("nodejs_eventloop_lag_p99_seconds "))).toBe(true);
  // The process is measured by the main thread.
  expect(measured.some((line) => line.startsWith("process_"))).toBe(false);
  const { isReady, fullBody } = await readiness();
  expect([isReady, JSON.parse(fullBody)]).toEqual([
    true,
    expect.objectContaining({ status: "ready", workers: { wanted: 2, serving: 2 } }),
  ]);
  await expect.poll(() => lines.length).toBe(2 * CONNECTIONS);
  await running!.useAccessLog(defaultAccessLog);
  expect(await askAll(all)).toEqual(all.map(() => "200"));
  await running!.stop();
  expect(lines).toHaveLength(2 * CONNECTIONS);
});

/** How a worker ends: it is stopped, or an error is not caught, since its listener reads a member of each message. */
const ends: readonly (readonly [name: string, end: (worker: Worker) => unknown])[] = [
  ["ends", (worker) => worker.terminate()],
  ["fails", (worker) => worker.postMessage(null)],
];

test.each(ends)("a worker that %s closes its connections and is replaced, others go on", async (_, end) => {
  const { refresh, counts } = await start({
    limits: { ...defaultSettings.limits, wrongKeys: 1000 },
    metricsPort: 0,
  });
  const all = await open(CONNECTIONS);
  await askAll(all);
  await askAll(all, "wrong");
  await refresh();
  const before = counts().wrongKeys;
  await end(threads.at(-1)!);
  await expect.poll(() => said, { timeout: 600_000 }).toContain("a worker was replaced");
  const answers = await askAll(all);
  const closed = answers.filter((answer) => answer === null).length;
  expect(closed).toBeGreaterThan(0);
  expect(answers.filter((answer) => answer === "200")).toHaveLength(CONNECTIONS - closed);
  expect(closed).toBeLessThan(CONNECTIONS);
  const reopened = await open(CONNECTIONS);
  expect(await askAll(reopened)).toEqual(reopened.map(() => "200"));
  await refresh();
  expect(counts().wrongKeys).toBe(before);
  // What the ended worker had counted is not lost.
  expect(await metricsLines()).toEqual(
    expect.arrayContaining(callsAnswered(CONNECTIONS + (CONNECTIONS - closed) + CONNECTIONS)),
  );
});

test("connections are bounded together, however they are spread, and those of a worker that ended are free", async () => {
  await start({ limits: { ...defaultSettings.limits, connections: 40, connectionsPerAddress: 40 } });
  const all = await open(40);
  expect(await askAll(all)).toEqual(all.map(() => "200"));
  const more = await open(10);
  expect(await askAll(more)).toEqual(more.map(() => null));
  await threads.at(-1)!.terminate();
  await expect.poll(() => said, { timeout: 600_000 }).toContain("a worker was replaced");
  const closed = all.filter(({ closed: isClosed }) => isClosed).length;
  expect(closed).toBeGreaterThan(0);
  const reopened = await open(closed + 5);
  const answers = await askAll(reopened);
  expect(answers.filter((answer) => answer === "200")).toHaveLength(closed);
});

test("what one key may hold is one total of all workers, and what a worker held that ended is free", async () => {
  // Bodies have an eighth of it, and one address of a key nine sixteenths of that: five bodies of 14,096 bytes, the first 4,096 of which have a bound of their own.
  const limits = { ...defaultSettings.limits, owedBytes: 800_000, receiveTimeoutMs: 600_000 };
  const { refresh, load } = await start({ limits, keys: ["key", "two"] });
  const head =
    "POST /v3/key HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20000\r\n\r\n";
  /** Whether part of a body is taken, which is never sent whole. */
  const isTaken = async (socket: Socket): Promise<boolean> => {
    let isRefused = false;
    socket.once("data", () => (isRefused = true));
    socket.once("close", () => (isRefused = true));
    await refresh();
    const before = load().bodiesBytes;
    socket.write(head + " ".repeat(14_096));
    await expect
      .poll(async () => {
        await refresh();
        return isRefused || load().bodiesBytes === before + 14_096;
      })
      .toBe(true);
    return !isRefused;
  };
  const takenOf = async (all: readonly Socket[]): Promise<number> => {
    let taken = 0;
    for (const socket of all) if (await isTaken(socket)) taken++;
    return taken;
  };
  const all = await open(24);
  expect(await takenOf(all)).toBe(5);
  const [other] = await open(1);
  expect(await ask(other!, "two")).toBe("200");
  await threads.at(-1)!.terminate();
  await expect.poll(() => said, { timeout: 600_000 }).toContain("a worker was replaced");
  await refresh();
  const left = load().bodiesBytes / 14_096;
  expect(await takenOf(await open(24))).toBe(5 - left);
});

test("what keeps a worker from serving is reported as by one server", async () => {
  await expect(start({ store: "sqlite:/nowhere/store.db" })).rejects.toMatchObject({
    code: "STORE__MISSING",
  });
  await expect(start({ host: "192.0.2.1", keys: ["a-key-for-a-network"] })).rejects.toMatchObject({
    code: "SERVER__CANNOT_LISTEN",
  });
});
