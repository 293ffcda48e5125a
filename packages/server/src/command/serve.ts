import { docsDirectory } from "@lamplight/docs";

import type { Environment } from "../config/resolve-settings.ts";
import { resolveSettings } from "../config/resolve-settings.ts";
import type { ServeSettings } from "../config/settings.ts";
import { createLog, type Log } from "../log/log.ts";
import { startServer } from "../start-server.ts";
import { parseServeFlags } from "./serve-flags.ts";
import { ServeSearch } from "./serve-search.ts";
import { openStoreForReading } from "./open-store.ts";
import { untilStopSignal } from "./stop-signal.ts";
import { nameOfStore } from "./store-url.ts";

/**
 * `serve` from command line to clean end: resolves once a stop signal has been obeyed.
 *
 * @throws LamplightError what is wrong with flags, environment, file, store or port
 */
export const serve = async (args: readonly string[], environment: Environment): Promise<void> => {
  const settings = resolveSettings(parseServeFlags(args), environment);
  await serveUntilStopped(settings, createLog(settings.logLevel));
};

const serveUntilStopped = async (settings: ServeSettings, log: Log): Promise<void> => {
  const store = await openStoreForReading(settings.store);
  const search = new ServeSearch(store, store.searchFile, log);
  try {
    const server = await startServer({ ...settings, readable: search.readable, log, docsDirectory });
    search.start();
    log.info({ url: server.url, store: nameOfStore(settings.store) }, "serving");
    const signal = await untilStopSignal();
    log.info({ signal, drainMs: settings.limits.drainMs }, "stopping");
    await server.stop();
  } finally {
    await search.close();
    store.close();
  }
  log.info({}, "stopped");
};
