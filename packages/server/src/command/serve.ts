import type { LiveStatus, ViewSource } from "@lamplight/core";
import { docsDirectory } from "@lamplight/docs";
import { type MetricFamily } from "@lamplight/core";
import {
  assertStoreUsable,
  engineOf,
  nameOfStore,
  openOrEnd,
  type StoreUse,
  untilStopSignal,
} from "@lamplight/runtime";
import { serveViews, UnfinalizedRelay } from "@lamplight/runtime/views";

import { type Environment, resolveSettings, type ServeFlags } from "../config/resolve-settings.ts";
import type { ServeSettings } from "../config/settings.ts";
import { warnOfOpenKeyFiles } from "../config/open-key-files.ts";
import type { AccessLogSettings } from "../log/access-settings.ts";
import { createLog, type Log, type ProcessLog } from "../log/log.ts";
import type { SearchReport } from "../http/probes.ts";
import { type MetricsAddress, type MetricsPort, startMetricsPort } from "../metrics/metrics-port.ts";
import { searchMetrics } from "../metrics/search-metrics.ts";
import { serverMetrics } from "../metrics/server-metrics.ts";
import { observeServer, type ServerObservation } from "./server-observation.ts";
import { type RunningServer, assertKeysFit, type ServerOptions, startServer } from "../start-server.ts";
import type { StoredKey } from "../gate/key-account.ts";
import { KeyMetrics } from "../metrics/key-metrics.ts";
import type { KeyKeeper } from "./keys/key-keeper.ts";
import { openKeyKeeper } from "./keys/open-key-keeper.ts";
import { startWorkers } from "./workers/start-workers.ts";
import type { RunningWorkers } from "./workers/running-workers.ts";
import { assertPortFree } from "./choose-port.ts";

/** A store that this process writes itself while it serves it. */
export interface LiveStore {
  /** May throw `STORE__LOADING` for a while. */
  readonly viewSource: ViewSource;
  readonly status: () => LiveStatus;
  /** Null while there is no search index. */
  readonly searchStatus: () => SearchReport | null;
  /** Metrics of the following. */
  readonly metrics: () => readonly MetricFamily[];
  /** Rejects when following cannot go on: serving then ends too. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Opens a store that this process writes. */
export interface LiveStoreOpener {
  /** The use that the writer makes of the store. */
  readonly use: Exclude<StoreUse, "read">;
  /**
   * Opens it, once the settings are known.
   *
   * @param relay - shows slots above the finalized one to workers; null = there are none, or the store does
   */
  open(settings: ServeSettings, log: Log, relay: UnfinalizedRelay | null): Promise<LiveStore>;
}

/** A store that is open, by whichever way. */
interface Opened extends Pick<ServerOptions, "liveStatus"> {
  /** Null where only workers read it, and this process does not follow a chain. */
  readonly viewSource: ViewSource | null;
  readonly relay: UnfinalizedRelay | null;
  readonly searchStatus: () => SearchReport | null;
  readonly metrics: () => readonly MetricFamily[];
  /** Called when the server listens. */
  readonly start: () => void;
  /** Rejects when it cannot be served any more. */
  readonly ended: Promise<void> | null;
  stop(): Promise<void>;
}

/**
 * `serve` from command line to clean end: resolves once a stop signal has been obeyed.
 *
 * ```ts
 * await serve({ store: "sqlite:chain.db", port: "5267", key: ["demo"] }, process.env);
 * ```
 *
 * @throws LamplightError what is wrong with flags, environment, file, store or port
 */
export const serve = async (
  flags: ServeFlags,
  environment: Environment,
  live: LiveStoreOpener | null = null,
): Promise<void> => {
  const readSettings = (): ServeSettings => resolveSettings(flags, environment);
  const settings = readSettings();
  assertKeysFit(settings);
  const log = createLog(settings.logLevel);
  warnOfOpenKeyFiles(settings.keyFiles, log);
  const { metricsHost: host, metricsPort: port, workers, allowedHosts } = settings;
  const heartbeats = new SharedArrayBuffer((1 + workers) * Int32Array.BYTES_PER_ELEMENT);
  const observation = await observeServer(settings, (line) => log.access(line));
  const { keys, accessLog } = settings;
  const serving: Serving = {
    server: null,
    opened: null,
    keyKeeper: null,
    keys,
    accessLog,
    heartbeats,
    observation,
  };
  // A signal that comes while the store is checked, opened, or filled, is obeyed as well.
  const stopped = untilStopSignal(() => void readAgain(readSettings, serving, log));
  await openOrEnd(assertServable(settings, live?.use ?? "read"), stopped, () => log.info({}, "stopped"));
  serving.keyKeeper = await openOrEnd(openKeyKeeper(settings, log), stopped, () => log.info({}, "stopped"));
  const metrics = port === undefined ? null : await openMetricsPort({ host, port, allowedHosts }, serving);
  if (metrics !== null) log.info({ url: `${metrics.url}/metrics` }, "metrics");
  try {
    await serveUntilStopped(settings, log, serving, stopped, () =>
      live === null ? openStore(settings, log) : openLiveStore(live, settings, log),
    );
  } finally {
    await observation.close();
    await metrics?.close();
    await serving.keyKeeper?.close();
    log.flush();
  }
  log.info({}, "stopped");
};

/** The store before the port, since a free port does not mend a wrong store. Both before a store is filled. */
const assertServable = async ({ store, host, port }: ServeSettings, use: StoreUse): Promise<void> => {
  await assertStoreUsable(store, use);
  await assertPortFree(host, port);
};

/** The parts that are there so far. */
interface Serving {
  server: Served | null;
  opened: Opened | null;
  /** Null where there is no key store. */
  keyKeeper: KeyKeeper | null;
  /** The keys as they were read last. */
  keys: readonly string[];
  /** The access log's settings as they were read last. */
  accessLog: AccessLogSettings;
  /** This thread and the workers write here. */
  readonly heartbeats: SharedArrayBuffer;
  /** The server in this thread reports to this; workers have their own. */
  readonly observation: ServerObservation;
}

/** One server, or several threads that answer as one. */
type Served = Omit<RunningServer, "accept" | UseOfKeys> &
  Partial<Omit<RunningWorkers, UseOfKeys>> & {
    useKeys(keys: readonly string[]): void | Promise<void>;
    useStoredKeys(stored: readonly StoredKey[]): void | Promise<void>;
  };
type UseOfKeys = "useKeys" | "useStoredKeys";

/** Reads keys, log level and access log again. With settings that are wrong, all stay as they were. */
const readAgain = async (
  readSettings: () => ServeSettings,
  serving: Serving,
  log: ProcessLog,
): Promise<void> => {
  try {
    const { keys, keyFiles, logLevel, accessLog, host, publicKey } = readSettings();
    assertKeysFit({ keys, host, publicKey });
    await serving.server?.useKeys(keys);
    serving.keys = keys;
    serving.observation.useAccessLog(accessLog);
    await serving.server?.useAccessLog?.(accessLog);
    serving.accessLog = accessLog;
    log.level = logLevel;
    warnOfOpenKeyFiles(keyFiles, log);
    const fields = { keys: keys.length, logLevel, accessLog: accessLog.mode };
    log.info(fields, "SIGHUP: read keys, log level and access log again");
  } catch (error) {
    log.error(
      { err: error },
      "SIGHUP: keys, log level and access log stay as they were, because the settings are wrong",
    );
  }
};

const openMetricsPort = (address: MetricsAddress, serving: Serving): Promise<MetricsPort> => {
  const keyMetrics = new KeyMetrics();
  return startMetricsPort(address, {
    heartbeats: serving.heartbeats,
    metrics: async () => {
      const { server, opened, observation, keyKeeper } = serving;
      await server?.refresh?.();
      return [
        server === null ? [] : serverMetrics(server),
        ...(server?.families?.() ?? [observation.families()]),
        opened?.metrics() ?? [],
        keyKeeper === null ? [] : keyMetrics.families(keyKeeper),
        searchMetrics(server?.searchStatus?.() ?? opened?.searchStatus() ?? null),
      ];
    },
    readiness: () =>
      serving.server?.readiness() ?? { isReady: false, fullBody: JSON.stringify({ status: "starting" }) },
  });
};

const serveUntilStopped = async (
  settings: ServeSettings,
  log: ProcessLog,
  serving: Serving,
  stopped: Promise<NodeJS.Signals>,
  open: () => Promise<Opened>,
): Promise<void> => {
  const opened = await openOrEnd(open(), stopped, () => log.info({}, "stopped"));
  serving.opened = opened;
  try {
    const { keys, accessLog } = serving;
    const server = await startAnswering({ ...settings, keys, accessLog }, log, opened, serving);
    serving.server = server;
    if (serving.keys !== keys) await server.useKeys(serving.keys);
    if (serving.accessLog !== accessLog) await server.useAccessLog?.(serving.accessLog);
    serving.keyKeeper?.start((stored) => server.useStoredKeys(stored));
    opened.start();
    log.info({ url: server.url, store: nameOfStore(settings.store) }, "serving");
    try {
      const signal = await (opened.ended === null ? stopped : Promise.race([stopped, opened.ended]));
      const { lameDuckMs, drainMs } = settings.limits;
      log.info({ signal, lameDuckMs, drainMs }, "stopping");
    } finally {
      await server.stop();
    }
  } finally {
    await opened.stop();
  }
};

const startAnswering = (
  settings: ServeSettings,
  log: ProcessLog,
  { viewSource, relay, liveStatus, searchStatus }: Opened,
  { heartbeats, keyKeeper, observation }: Serving,
): Promise<Served> => {
  const servedKeys =
    keyKeeper === null
      ? null
      : { stored: keyKeeper.stored, cells: keyKeeper.cells, costs: settings.keyCosts };
  if (viewSource === null || settings.workers > 1)
    return startWorkers({
      settings,
      log,
      writeAccess: (line) => log.access(line),
      docsDirectory,
      heartbeats,
      servedKeys,
      relay,
      liveStatus: liveStatus ?? null,
    });
  return startServer({
    ...settings,
    ...observation,
    viewSource,
    ...(liveStatus === undefined ? {} : { liveStatus }),
    searchStatus,
    servedKeys,
    log,
    docsDirectory,
  });
};

const openLiveStore = async (opener: LiveStoreOpener, settings: ServeSettings, log: Log): Promise<Opened> => {
  const relay =
    settings.workers > 1 && !engineOf(settings.store).sharesUnfinalized ? new UnfinalizedRelay() : null;
  const live = await opener.open(settings, log, relay);
  const { viewSource, status: liveStatus, searchStatus, metrics, ended } = live;
  return {
    viewSource,
    relay,
    liveStatus,
    searchStatus,
    metrics,
    ended,
    start: () => {},
    stop: () => live.stop(),
  };
};

const openStore = async (settings: ServeSettings, log: Log): Promise<Opened> => {
  const { store, limits, searchCache, workers } = settings;
  if (workers > 1) return openedByWorkers;
  const served = await serveViews(store, { views: { most: limits.readViews, workers: 1 }, searchCache, log });
  return { ...served, relay: null, metrics: () => [], ended: null };
};

/** Each worker opens a store that another process writes by itself. */
const openedByWorkers: Opened = {
  viewSource: null,
  relay: null,
  searchStatus: () => null,
  metrics: () => [],
  ended: null,
  start: () => {},
  stop: () => Promise.resolve(),
};
