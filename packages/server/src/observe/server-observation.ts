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
}

export type ObservedSettings = Pick<ServeSettings, "accessLog" | "metricsPort" | "slowCallMs">;

/** What is observed follows from the settings; the library of metrics is loaded only where they are served. */
export const observeServer = async (
  { accessLog, metricsPort, slowCallMs }: ObservedSettings,
  log: Log,
  writeAccess: (line: AccessLine) => void,
): Promise<ServerObservation> => {
  const logSlow = slowCallObserver(log, slowCallMs);
  const access = new AccessLog(accessLog, writeAccess);
  const metrics =
    metricsPort === undefined ? null : new (await import("../metrics/call-metrics.ts")).CallMetrics();
  return {
    observe: (report) => {
      logSlow(report);
      metrics?.onCall(report);
    },
    requests: observeAll([metrics, access]),
    families: () => metrics?.families() ?? Promise.resolve([]),
    useAccessLog: (settings) => access.use(settings),
  };
};
