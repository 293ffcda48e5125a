import type { MetricFamily } from "@lamplight/core";

import type { ServeSettings } from "../config/settings.ts";
import type { AccessLine, AccessLogSettings } from "../log/access-settings.ts";
import type { CallObserver } from "../rpc/observer.ts";
import { CallMetrics } from "../metrics/call-metrics.ts";
import { storeMetrics } from "../metrics/store-metrics.ts";
import { AccessLog } from "../observe/access-log.ts";
import { observeAll } from "../observe/observe-all.ts";
import type { RequestObserver } from "../observe/request-record.ts";

/** Everything that observes the server of one thread. */
export interface ServerObservation {
  /** Null where no metrics are served. */
  readonly observe: CallObserver | null;
  readonly requests: RequestObserver;
  /** Metrics of requests, calls and the store's readers; none where they are not served. */
  families(): readonly MetricFamily[];
  /** Takes these settings from now on. */
  useAccessLog(settings: AccessLogSettings): void;
  /** Sends the traces that wait. Called when the server has stopped. */
  close(): Promise<void>;
}

export type ObservedSettings = Pick<ServeSettings, "accessLog" | "metricsPort" | "traces">;

/** What is observed follows from the settings. The library of traces is loaded only where they are sent. */
export const observeServer = async (
  { accessLog, metricsPort, traces: sent }: ObservedSettings,
  writeAccess: (line: AccessLine) => void,
): Promise<ServerObservation> => {
  const access = new AccessLog(accessLog, writeAccess);
  const metrics = metricsPort === undefined ? null : new CallMetrics();
  const traces = sent === null ? null : new (await import("../observe/traces.ts")).Traces(sent);
  return {
    observe: metrics === null ? null : (report) => metrics.onCall(report),
    requests: observeAll([traces, metrics, access]),
    families: () => (metrics === null ? [] : [...metrics.families(), ...storeMetrics()]),
    useAccessLog: (settings) => access.use(settings),
    close: async () => traces?.close(),
  };
};
