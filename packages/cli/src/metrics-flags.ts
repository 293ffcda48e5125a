import { usageError } from "@lamplight/errors";
import {
  defaultMetricsHost,
  type MetricParts,
  type MetricsAddress,
  type parseFlags,
  type ProbeAnswer,
  startMetricsPort,
} from "@lamplight/server/command";
import { say } from "./output.ts";

/** For `parseArgs`, of every command that runs for long. */
export const metricsOptions = {
  "metrics-port": { type: "string" },
  "metrics-host": { type: "string" },
} as const;

/** The two options, in `--help` of a command that serves. */
export const metricsUsage = `  --metrics-port  port for /metrics (Prometheus), /readyz and /livez; 0 picks a free one
  --metrics-host  address for these (127.0.0.1)`;

/**
 * Null = metrics are not served.
 *
 * @throws LamplightError `CLI__USAGE`
 */
export const readMetricsAddress = (
  flags: ReturnType<typeof parseFlags<typeof metricsOptions>>,
): MetricsAddress | null => {
  const { "metrics-port": port, "metrics-host": host } = flags;
  if (port === undefined && host !== undefined) throw usageError("--metrics-host needs --metrics-port");
  if (port === undefined) return null;
  return { host: host ?? defaultMetricsHost, port: parsePort("--metrics-port", port) };
};

/** @throws LamplightError `CLI__USAGE` */
const parsePort = (flag: string, text: string): number => {
  const port = Number(text);
  if (/^\d{1,5}$/u.test(text) && port <= 65_535) return port;
  throw usageError(`${flag} must be a port, 0 to 65535`);
};

export interface MeasuredRun {
  readonly metrics: () => MetricParts;
  readonly readiness: () => ProbeAnswer | Promise<ProbeAnswer>;
}

/** Serves metrics and probes while a command runs. */
export const withMetricsPort = async <Result>(
  address: MetricsAddress | null,
  measured: MeasuredRun,
  run: () => Promise<Result>,
): Promise<Result> => {
  if (address === null) return run();
  const port = await startMetricsPort(address, measured);
  say(`metrics: ${port.url}/metrics`);
  try {
    return await run();
  } finally {
    await port.close();
  }
};

/** The answer of `/readyz` of a command that serves no calls. */
export const probeAnswer = (isReady: boolean, status: string): ProbeAnswer => ({
  isReady,
  fullBody: JSON.stringify({ status }),
});
