import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { IndexStore, LoggedStore } from "@lamplight/core";
import type { LiveStatus } from "@lamplight/server";
import type { ForkOverlay } from "@lamplight/indexer";
import type { Following, Sample } from "./following.ts";
import { searchText } from "./search-metrics.ts";

/** Where metrics are served; port 0 = any free one. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

export const METRICS_HOST = "127.0.0.1";

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` (Prometheus text), `/readyz` and `/livez` on a port of its own.
 *
 * @param liveNow - null while this process stands by
 */
export const startMetrics = async (
  liveNow: () => Following | null,
  { host, port }: MetricsAddress,
): Promise<MetricsServer> => {
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0];
    const live = liveNow();
    const { isReady, detail } = live === null ? standingBy : live.status();
    if (path === "/metrics") {
      response
        .writeHead(200, { "content-type": "text/plain; version=0.0.4" })
        .end(live === null ? standbyText(1) : toldText(live));
    } else if (path === "/readyz") {
      response
        .writeHead(isReady ? 200 : 503, { "content-type": "application/json" })
        .end(JSON.stringify(detail));
    } else if (path === "/livez") {
      response.writeHead(200, { "content-type": "application/json" }).end('{"status":"alive"}');
    } else response.writeHead(404).end();
  });
  server.listen(port, host);
  await once(server, "listening");
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${bound}`,
    close: () => closeServer(server),
  };
};

const closeServer = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
};

const toldText = (live: Following): string =>
  standbyText(0) + samplesText(live.samples()) + searchText(live.searchStatus());

/** Not ready, and nothing is wrong: another process writes the store, and this one waits for its turn. */
const standingBy: LiveStatus = { isReady: false, detail: { status: "standing by" } };

const standbyText = (value: 0 | 1): string =>
  `# TYPE lamplight_follow_standing_by gauge\nlamplight_follow_standing_by ${value}\n`;

/** What every source's following has. */
export const overlaySamples = (live: ForkOverlay): readonly Sample[] => {
  const { processedSlot, confirmedSlot, rootedSlot, ...overlay } = live.state;
  const commits = live.commitStats;
  return [
    ["slot", "gauge", processedSlot, 'commitment="processed"'],
    ["slot", "gauge", confirmedSlot, 'commitment="confirmed"'],
    ["slot", "gauge", rootedSlot, 'commitment="finalized"'],
    ["stalled", "gauge", live.isStalled ? 1 : 0],
    ["unrooted_slots", "gauge", overlay.unrootedSlots],
    ["unrooted_versions", "gauge", overlay.unrootedVersions],
    ["unrooted_bytes", "gauge", overlay.unrootedBytes],
    ["forks", "gauge", overlay.forks],
    ["fork_slots_dropped_total", "counter", overlay.droppedSlots],
    ["root_commits_total", "counter", commits.commits],
    ["root_commit_versions_total", "counter", commits.versions],
    ["root_commit_seconds_total", "counter", commits.totalMs / 1000],
    ["root_commit_last_seconds", "gauge", commits.lastMs / 1000],
  ];
};

/** None for a store whose server keeps its log. */
export const logSamples = (store: IndexStore): readonly Sample[] => {
  if (!isLogged(store)) return [];
  const { bytes, isMoved } = store.logState;
  return [
    ["store_log_bytes", "gauge", bytes],
    ["store_log_moved", "gauge", isMoved ? 1 : 0],
  ];
};

const isLogged = (store: IndexStore): store is IndexStore & LoggedStore => "logState" in store;

/** NaN = never. */
export const secondsSince = (ms: number | null): number => (ms === null ? NaN : (Date.now() - ms) / 1000);

/** The text that Prometheus reads. */
export const samplesText = (samples: readonly Sample[]): string => {
  const lines: string[] = [];
  const typed = new Set<string>();
  for (const [name, type, value, labels] of samples) {
    const full = `lamplight_follow_${name}`;
    if (!typed.has(name)) lines.push(`# TYPE ${full} ${type}`);
    typed.add(name);
    lines.push(`${full}${labels === undefined ? "" : `{${labels}}`} ${value}`);
  }
  return `${lines.join("\n")}\n`;
};
