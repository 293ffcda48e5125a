/** The data of the thread that answers the metrics port. */
export interface ProbeData {
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  /** Names in `Host` that are answered on loopback too. */
  readonly allowedHosts: readonly string[];
  /** A counter for each thread, raised while its event loop runs. */
  readonly heartbeats: SharedArrayBuffer;
  /** Without a heartbeat for so long, a thread, and so the process, counts as hanging. */
  readonly heartbeatMaxMs: number;
}

/** The paths that only the main thread can answer. */
export type ProbePath = "/metrics" | "/readyz";

/** The two texts of metrics: Prometheus' own, and OpenMetrics for who asks for it. */
export type MetricsFormat = "prometheus" | "openmetrics";

export type ToMain =
  | { readonly kind: "listening"; readonly port: number; readonly address: string }
  | { readonly kind: "failed"; readonly code: string | undefined; readonly message: string }
  | {
      readonly kind: "ask";
      readonly id: number;
      readonly path: ProbePath;
      readonly format: MetricsFormat;
    };

export interface ToProbe {
  readonly id: number;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}
