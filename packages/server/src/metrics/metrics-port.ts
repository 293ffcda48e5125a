/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { toListenError } from "../http/listen-error.ts";
import type { ProbeData, ProbePath, ToMain, ToProbe } from "./probe-messages.ts";

/** Where metrics are served; port 0 = any free one. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
  /** Names in `Host` that are answered on loopback, where by default only names that no web page can have are. */
  readonly allowedHosts?: readonly string[];
}

/** The host where metrics are served unless another one is named. */
export const METRICS_HOST = "127.0.0.1";

export interface MetricsParts {
  /** Prometheus text. */
  readonly metrics: () => string | Promise<string>;
  readonly readiness: () => ProbeAnswer | Promise<ProbeAnswer>;
  /** Without a heartbeat of the event loop for so long, `/livez` answers 503; default a minute. */
  readonly heartbeatMaxMs?: number;
  /** A counter of this thread first, then those of further threads that must not hang either; default: only the first. */
  readonly heartbeats?: SharedArrayBuffer;
}

export interface ProbeAnswer {
  readonly isReady: boolean;
  /** JSON text. */
  readonly fullBody: string;
}

export interface MetricsPort {
  readonly url: string;
  close(): Promise<void>;
}

const HEARTBEAT_MS = 1000;
const HEARTBEAT_MS_MAX = 60_000;

/**
 * Serves `/metrics`, `/readyz` and `/livez` on a port of its own. A thread answers there, so that `/livez` distinguishes a busy
 * process from one that hangs: it is answered while the event loop is busy, and turns 503 after a minute of that.
 *
 * @throws LamplightError `SERVER__PORT_IN_USE`, `SERVER__CANNOT_LISTEN`
 */
export const startMetricsPort = async (
  { host, port, allowedHosts = [] }: MetricsAddress,
  parts: MetricsParts,
): Promise<MetricsPort> => {
  const { heartbeatMaxMs = HEARTBEAT_MS_MAX, heartbeats = new SharedArrayBuffer(4) } = parts;
  const counter = new Int32Array(heartbeats);
  const workerData: ProbeData = { host, port, allowedHosts, heartbeats, heartbeatMaxMs };
  const name = `./probe-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
  const worker = new Worker(new URL(name, import.meta.url), { workerData });
  const [first] = (await once(worker, "message")) as [Exclude<ToMain, { kind: "ask" }>];
  if (first.kind === "failed") {
    await worker.terminate();
    const error = Object.assign(new Error(first.message), { code: first.code });
    throw toListenError(error, { host, port, portSettings: "--metrics-port" });
  }
  const beat = setInterval(() => Atomics.add(counter, 0, 1), HEARTBEAT_MS).unref();
  worker.on("message", (message: ToMain) => {
    if (message.kind === "ask")
      void answer(parts, message.path).then((text) => worker.postMessage({ ...text, id: message.id }));
  });
  // A process whose work is done ends, whether it closed its port or not.
  worker.unref();
  return {
    url: `http://${first.address.includes(":") ? `[${first.address}]` : first.address}:${first.port}`,
    close: async () => {
      clearInterval(beat);
      await worker.terminate();
    },
  };
};

const answer = async (parts: MetricsParts, path: ProbePath): Promise<Omit<ToProbe, "id">> => {
  try {
    if (path === "/metrics")
      return { status: 200, contentType: "text/plain; version=0.0.4", body: await parts.metrics() };
    const { isReady, fullBody } = await parts.readiness();
    return { status: isReady ? 200 : 503, contentType: "application/json", body: fullBody };
  } catch {
    return { status: 500, contentType: "application/json", body: '{"status":"unreadable"}' };
  }
};
