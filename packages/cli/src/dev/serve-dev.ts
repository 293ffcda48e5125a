import { join } from "node:path";
import type { LiveStatus, ViewSource } from "@lamplight/core";
import { docsDirectory } from "@lamplight/docs";
import { untilStopSignal } from "@lamplight/runtime";
import {
  CallMetrics,
  createLog,
  searchMetrics,
  serverMetrics,
  type ServerOptions,
  startServer,
  storeMetrics,
} from "@lamplight/server";
import {
  type FurtherContract,
  type MetricParts,
  type MetricsAddress,
  print,
  printStyled,
} from "@lamplight/server/command";
import { withMetricsPort } from "../metrics-flags.ts";
import type { DevAddress } from "./dev-address.ts";
import { createDevFolder } from "./dev-folder.ts";
import { greetingText } from "./dev-greeting.ts";
import { listenForKeys, openPage } from "./dev-keys.ts";
import { sampleKey } from "./sample-server.ts";

/** A chain that is served, whether it runs in this process or in a node. */
export interface DevChain {
  readonly viewSource: ViewSource;
  /** Absent where the chain stands still. */
  readonly status?: () => LiveStatus;
  readonly searchStatus: NonNullable<ServerOptions["searchStatus"]>;
  /** Receives lines of text. */
  readonly about: readonly string[];
  /** A command line that calls the API at this URL. */
  readonly example: (api: string) => string;
  /** Metrics of what the chain follows. */
  readonly metrics?: () => MetricParts[number];
  /** Ends when the chain does, and rejects when it cannot go on. Absent where the chain stands still. */
  readonly run?: () => Promise<unknown>;
}

export interface DevRun {
  /** A store that is made, in a folder that is deleted when the command ends. */
  readonly file: string;
  readonly address: DevAddress;
  /** The address of the metrics; null = there is none. */
  readonly metrics: MetricsAddress | null;
  /** Contracts that are served besides the main one. */
  readonly methods: readonly FurtherContract[];
  /** When the command began, by the clock of `performance`. */
  readonly startMs: number;
  readonly stopped: Promise<unknown>;
  /** Aborts with `stopped`. */
  readonly signal: AbortSignal;
}

/**
 * Runs `serve` until it ends or a stop signal comes, and deletes its store.
 *
 * @throws LamplightError `CLI__TEMPORARY_FOLDER`, and what `serve` throws before a stop signal
 */
export const runDev = async (
  given: Pick<DevRun, "address" | "metrics" | "methods" | "startMs">,
  serve: (run: DevRun) => Promise<void>,
): Promise<void> => {
  // From here on the folder has to be deleted, whenever the signal comes.
  const stopping = new AbortController();
  const stopped = untilStopSignal().then(() => stopping.abort());
  // Made each time: it takes a moment, and an old one could have been written by another version.
  const folder = await createDevFolder();
  try {
    await serve({ ...given, file: join(folder.path, "dev.db"), stopped, signal: stopping.signal });
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    await folder.remove();
  }
};

/** Serves a chain, greets, and listens to keys until it is stopped. */
export const serveDev = async (chain: DevChain, run: DevRun): Promise<void> => {
  const { address, methods, startMs, stopped } = run;
  const { viewSource, status, searchStatus, about, example } = chain;
  const log = createLog("warn");
  const access = { keys: [sampleKey], publicKey: sampleKey };
  const live = status === undefined ? {} : { liveStatus: status };
  const calls = new CallMetrics();
  const server = await startServer({
    ...address,
    ...access,
    ...live,
    docsDirectory,
    log,
    methods,
    observe: (report) => calls.onCall(report),
    requests: calls,
    searchStatus,
    viewSource,
  });
  const { url } = server;
  const { isListening, release } = listenForKeys(
    [{ key: "o", what: "open the documentation", run: () => openPage(`${url}/`, print) }],
    print,
  );
  try {
    const readyMs = performance.now() - startMs;
    const greeting = greetingText({
      url,
      key: sampleKey,
      methods,
      readyMs,
      about,
      example,
      hasKeys: isListening,
    });
    printStyled(process.stdout, `${greeting}\n`);
    const measured = {
      metrics: () => [
        serverMetrics(server),
        calls.families(),
        storeMetrics(),
        searchMetrics(searchStatus()),
        chain.metrics?.() ?? [],
      ],
      readiness: () => server.readiness(),
    };
    await withMetricsPort(run.metrics, measured, () =>
      Promise.race(chain.run === undefined ? [stopped] : [stopped, chain.run()]),
    );
  } finally {
    release();
    await server.stop();
  }
};
