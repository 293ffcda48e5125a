// A thread that serves one address together with others: see `startWorkers`.
import { parentPort, workerData } from "node:worker_threads";
import { type LiveStatus, NewestAnswered, type UnfinalizedReader } from "@lamplight/core";
import { serveViews } from "@lamplight/runtime/views";

import { observeServer } from "../server-observation.ts";
import type { StoredKey } from "../../gate/key-account.ts";
import { startServer } from "../../start-server.ts";
import type { AccessLine, AccessLogSettings } from "../../log/access-settings.ts";
import { LineBatch } from "../../log/line-batch.ts";
import { toPlainError } from "./plain-error.ts";
import { PortCalls, type PortHandler } from "./port-calls.ts";
import { workerLog } from "./worker-log.ts";
import { toMain, toWorker, type WorkerFigures, type WorkerSettings } from "./worker-messages.ts";

const HEARTBEAT_MS = 1000;

const { worker, settings, docsDirectory, answered, heartbeats, gate, servedKeys, isFollowed, isRelayed } =
  workerData as WorkerSettings;

const handlers: Record<string, PortHandler> = {};
const calls = new PortCalls(parentPort!, handlers);
const log = workerLog(worker, calls);

/** The unfinalized slots as the main thread publishes them. */
const relayed: UnfinalizedReader = {
  readUnfinalizedHead: () => calls.call(toMain.unfinalizedHead, null),
  readUnfinalized: (known) => calls.call(toMain.unfinalized, known),
  readFinalizedData: (address) => calls.call(toMain.finalizedData, address),
};

const serve = async (): Promise<number> => {
  const { limits, searchCache } = settings;
  const views = await serveViews(settings.store, {
    views: { most: limits.readViews, workers: settings.workers },
    searchCache,
    log,
    worker: {
      answered: new NewestAnswered(answered),
      index: () => calls.call(toMain.searchIndex, null),
      savesIndex: worker === 1,
      termsShare: 1 / settings.workers,
      unfinalized: isRelayed ? relayed : null,
    },
  });
  const accessLines = new LineBatch<AccessLine>((lines) => {
    calls.call(toMain.access, lines).catch(() => undefined);
  });
  const observation = await observeServer(settings, (line) => accessLines.add(line));
  const thread = settings.metricsPort === undefined ? null : await threadMetrics();
  const server = await startServer({
    ...settings,
    ...views,
    ...observation,
    ...(isFollowed ? { liveStatus: () => calls.call<LiveStatus>(toMain.liveStatus, null) } : {}),
    log,
    docsDirectory,
    sharesPort: true,
    shared: { memory: gate, worker: worker - 1 },
    servedKeys,
  });
  views.start();
  handlers[toWorker.figures] = async (): Promise<WorkerFigures> => ({
    counts: server.counts(),
    load: server.load(),
    search: views.searchStatus(),
    families: [...observation.families(), ...((await thread?.families()) ?? [])],
  });
  handlers[toWorker.keys] = (keys: readonly string[]) => server.useKeys(keys);
  handlers[toWorker.storedKeys] = (stored: readonly StoredKey[]) => server.useStoredKeys(stored);
  handlers[toWorker.accessLog] = (changed: AccessLogSettings) => observation.useAccessLog(changed);
  handlers[toWorker.readiness] = () => server.readiness();
  handlers[toWorker.stop] = async () => {
    await server.stop();
    accessLines.flush();
    await observation.close();
    await views.stop();
  };
  const counter = new Int32Array(heartbeats);
  setInterval(() => Atomics.add(counter, worker, 1), HEARTBEAT_MS).unref();
  return server.port;
};

const threadMetrics = async () => new (await import("../../metrics/thread-metrics.ts")).ThreadMetrics(false);

try {
  await calls.call(toMain.started, await serve());
} catch (error) {
  await calls.call(toMain.failed, toPlainError(error));
  parentPort!.close();
}
