import type { Readable } from "@lamplight/core";
import { docsDirectory } from "@lamplight/docs";

import type { Environment } from "../config/resolve-settings.ts";
import { resolveSettings } from "../config/resolve-settings.ts";
import type { ServeSettings } from "../config/settings.ts";
import { createLog, type Log } from "../log/log.ts";
import type { LiveStatus, SearchReport } from "../http/probes.ts";
import { startServer } from "../start-server.ts";
import { parseServeFlags } from "./serve-flags.ts";
import { ServeSearch } from "./serve-search.ts";
import { sharedStatusOf, shareOverlay } from "./serve-shared.ts";
import { openStoreForReading } from "./open-store.ts";
import { openOrEnd, untilStopSignal } from "./stop-signal.ts";
import { nameOfStore } from "./store-url.ts";

/** A store that this process writes itself while it serves it. */
export interface LiveStore {
  /** May throw `STORE__LOADING` for a while. */
  readonly readable: Readable;
  readonly status: () => LiveStatus;
  /** Null while there is no search index. */
  readonly searchStatus: () => SearchReport | null;
  /** Rejects when following cannot go on: serving then ends too. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Opens it, once the settings are known. */
export type OpenLiveStore = (settings: ServeSettings, log: Log) => Promise<LiveStore>;

/**
 * `serve` from command line to clean end: resolves once a stop signal has been obeyed.
 *
 * @throws LamplightError what is wrong with flags, environment, file, store or port
 */
export const serve = async (
  args: readonly string[],
  environment: Environment,
  openLive: OpenLiveStore | null = null,
): Promise<void> => {
  const settings = resolveSettings(parseServeFlags(args), environment);
  const log = createLog(settings.logLevel);
  if (openLive === null) await serveUntilStopped(settings, log);
  else await serveLive(settings, log, openLive);
};

const serveLive = async (settings: ServeSettings, log: Log, openLive: OpenLiveStore): Promise<void> => {
  // A signal that comes while the store is opened, or filled, is obeyed as well.
  const stopped = untilStopSignal();
  const live = await openOrEnd(openLive(settings, log), stopped, () => log.info({}, "stopped"));
  try {
    const { readable, status: liveStatus, searchStatus } = live;
    const server = await startServer({ ...settings, readable, liveStatus, searchStatus, log, docsDirectory });
    log.info({ url: server.url, store: nameOfStore(settings.store) }, "serving");
    try {
      const signal = await Promise.race([stopped, live.ended]);
      log.info({ signal, drainMs: settings.limits.drainMs }, "stopping");
    } finally {
      await server.stop();
    }
  } finally {
    await live.stop();
  }
  log.info({}, "stopped");
};

const serveUntilStopped = async (settings: ServeSettings, log: Log): Promise<void> => {
  const stopped = untilStopSignal();
  const opening = openStoreForReading(settings.store);
  const store = await openOrEnd(opening, stopped, () => log.info({}, "stopped"));
  const search = new ServeSearch(store, store.searchFile, log);
  const shared = store.unrooted === null ? null : shareOverlay(store.unrooted, search, log);
  const served =
    shared === null
      ? { readable: search.readable }
      : { readable: shared, liveStatus: () => sharedStatusOf(shared) };
  try {
    const server = await startServer({
      ...settings,
      ...served,
      searchStatus: () => search.status(),
      log,
      docsDirectory,
    });
    search.start();
    shared?.start();
    if (store.isStill)
      log.info({}, "nothing can be written in the store's folder: it is served as it stands");
    log.info({ url: server.url, store: nameOfStore(settings.store) }, "serving");
    const signal = await stopped;
    log.info({ signal, drainMs: settings.limits.drainMs }, "stopping");
    await server.stop();
  } finally {
    await shared?.stop();
    await search.close();
    store.close();
  }
  log.info({}, "stopped");
};
