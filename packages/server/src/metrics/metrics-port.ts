/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { toListenError } from "../http/listen-error.ts";
import { familyOf, type MetricFamily } from "@lamplight/core";

import type { ThreadMetrics } from "./thread-metrics.ts";
import type { MetricsFormat, ProbeData, ToMain, ToProbe } from "./probe-messages.ts";

/** Where metrics are served; port 0 = any free one. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
  /** Names in `Host` that are answered on loopback, where by default only names that no web page can have are. */
  readonly allowedHosts?: readonly string[];
}

export interface MetricsParts {
  /** The families of each part of the process; those of this thread and of readiness are added. */
  readonly metrics: () => MetricParts | Promise<MetricParts>;
  readonly readiness: () => ProbeAnswer | Promise<ProbeAnswer>;
  /** Without a heartbeat of the event loop for so long, `/livez` answers 503; default a minute. */
  readonly heartbeatMaxMs?: number;
  /** A counter of this thread first, then those of further threads that must not hang either; default: only the first. */
  readonly heartbeats?: SharedArrayBuffer;
}

/** Families of one name may be in several parts, which are then added up. */
export type MetricParts = readonly (readonly MetricFamily[])[];

export interface ProbeAnswer {
  readonly isReady: boolean;
  /** JSON text. */
  readonly fullBody: string;
}

export interface MetricsPort {
  readonly url: string;
  close(): Promise<void>;
}

const MS_OF_SECOND = 1000;
const HEARTBEAT_MS = 1000;
const HEARTBEAT_MS_MAX = 60_000;

const unreadableBody = JSON.stringify({ status: "unreadable" });

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
  const writer = MetricsWriter.create(parts);
  const beat = setInterval(() => Atomics.add(counter, 0, 1), HEARTBEAT_MS).unref();
  // At once: it is asked as soon as it listens.
  worker.on("message", (message: ToMain) => {
    if (message.kind === "ask")
      void answer(parts, writer, message).then((text) => worker.postMessage({ ...text, id: message.id }));
  });
  await writer;
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

/** Writes the text of all metrics. Its library is loaded only where there is a port. */
class MetricsWriter {
  readonly #parts: MetricsParts;
  readonly #text: typeof import("./metrics-text.ts");
  readonly #thread: { families(): Promise<readonly MetricFamily[]> };

  private constructor(parts: MetricsParts, text: typeof import("./metrics-text.ts"), thread: ThreadMetrics) {
    this.#parts = parts;
    this.#text = text;
    this.#thread = thread;
  }

  static async create(parts: MetricsParts): Promise<MetricsWriter> {
    const [text, thread] = await Promise.all([import("./metrics-text.ts"), import("./thread-metrics.ts")]);
    return new MetricsWriter(parts, text, new thread.ThreadMetrics(true));
  }

  async write(format: MetricsFormat): Promise<Pick<ToProbe, "body" | "contentType">> {
    const families = [
      ...(await this.#parts.metrics()),
      await this.#thread.families(),
      readinessMetrics(await this.#readiness()),
      [clockMetric()],
    ];
    return this.#text.metricsText(families, format);
  }

  /** The other metrics are written where it cannot be read. */
  async #readiness(): Promise<ProbeAnswer> {
    try {
      return await this.#parts.readiness();
    } catch {
      return { isReady: false, fullBody: unreadableBody };
    }
  }
}

const readinessMetrics = ({ isReady, fullBody }: ProbeAnswer): readonly MetricFamily[] => {
  const { status = "", reason } = JSON.parse(fullBody) as { status?: string; reason?: string | null };
  return [
    familyOf("lamplight_ready", "gauge", "Whether /readyz answers 200", isReady ? 1 : 0),
    {
      ...familyOf("lamplight_readiness", "gauge", "What /readyz answers, as labels; always 1", 1),
      values: [{ value: 1, labels: { status, reason: reason ?? "" } }],
    },
  ];
};

/** Prometheus knows the time of its own clock at which it read this one. */
const clockMetric = (): MetricFamily =>
  familyOf(
    "lamplight_time_seconds",
    "gauge",
    "Clock of the machine, as seconds since 1970",
    Date.now() / MS_OF_SECOND,
  );

const answer = async (
  parts: MetricsParts,
  writer: Promise<MetricsWriter>,
  { path, format }: Extract<ToMain, { kind: "ask" }>,
): Promise<Omit<ToProbe, "id">> => {
  try {
    if (path === "/metrics") return { status: 200, ...(await (await writer).write(format)) };
    const { isReady, fullBody } = await parts.readiness();
    return { status: isReady ? 200 : 503, contentType: "application/json", body: fullBody };
  } catch {
    return { status: 500, contentType: "application/json", body: unreadableBody };
  }
};
