import type { MetricFamily } from "@lamplight/runtime";

import type { ServeSettings } from "../config/settings.ts";
import type { Log } from "../log/log.ts";
import { type CallObserver, slowCallObserver } from "../rpc/observer.ts";
import type { RequestObserver } from "./request-record.ts";

/** Everything that observes the server of one thread. */
export interface ServerObservation {
  readonly observe: CallObserver;
  /** Null = nothing observes whole requests. */
  readonly requests: RequestObserver | null;
  /** Metrics of requests and calls. */
  families(): Promise<readonly MetricFamily[]>;
}

/** What is observed follows from the settings; the library of metrics is loaded only where they are served. */
export const observeServer = async (
  { metricsPort, slowCallMs }: Pick<ServeSettings, "metricsPort" | "slowCallMs">,
  log: Log,
): Promise<ServerObservation> => {
  const logSlow = slowCallObserver(log, slowCallMs);
  if (metricsPort === undefined)
    return { observe: logSlow, requests: null, families: () => Promise.resolve([]) };
  const { CallMetrics } = await import("../metrics/call-metrics.ts");
  const metrics = new CallMetrics();
  return {
    observe: (report) => {
      logSlow(report);
      metrics.onCall(report);
    },
    requests: metrics,
    families: () => metrics.families(),
  };
};
