import type { MetricFamily } from "@lamplight/runtime";

import type { ServeSettings } from "../config/settings.ts";
import { AccessLog, type AccessLine, type AccessLogSettings } from "../log/access-log.ts";
import type { Log } from "../log/log.ts";
import { type CallObserver, slowCallObserver } from "../rpc/observer.ts";
import type { RequestObserver } from "./request-record.ts";
import { observeAll } from "./observe-all.ts";

/** Everything that observes the server of one thread. */
export interface ServerObservation {
  readonly observe: CallObserver;
  readonly requests: RequestObserver;
  /** Metrics of requests and calls; none where they are not served. */
  families(): Promise<readonly MetricFamily[]>;
  /** Takes these settings from now on. */
  useAccessLog(settings: AccessLogSettings): void;
  /** Sends the traces that wait. Called when the server has stopped. */
  close(): Promise<void>;
}

export type ObservedSettings = Pick<ServeSettings, "accessLog" | "metricsPort" | "slowCallMs" | "traces">;

/** What is observed follows from the settings. The libraries of metrics and traces are loaded only where they are needed. */
export const observeServer = async (
  { accessLog, metricsPort, slowCallMs, traces: sent }: ObservedSettings,
  log: Log,
  writeAccess: (line: AccessLine) => void,
): Promise<ServerObservation> => {
  const logSlow = slowCallObserver(log, slowCallMs);
  const access = new AccessLog(accessLog, writeAccess);
  const metrics =
    metricsPort === undefined ? null : new (await import("../metrics/call-metrics.ts")).CallMetrics();
  const traces = sent === null ? null : new (await import("./traces.ts")).Traces(sent);
  return {
    observe: (report) => {
      logSlow(report);
      metrics?.onCall(report);
    },
    requests: observeAll([traces, metrics, access]),
    families: () => metrics?.families() ?? Promise.resolve([]),
    useAccessLog: (settings) => access.use(settings),
    close: async () => traces?.close(),
  };
};
