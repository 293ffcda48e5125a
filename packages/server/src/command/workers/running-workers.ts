import type { MetricFamily } from "@lamplight/core";

import type { StoredKey } from "../../gate/key-account.ts";
import type { SearchReport } from "../../http/probes.ts";
import type { AccessLogSettings } from "../../log/access-settings.ts";
import type { RunningServer } from "../../start-server.ts";

/** The workers of a process, which look like one server. */
export interface RunningWorkers extends Pick<
  RunningServer,
  "counts" | "load" | "port" | "readiness" | "stop" | "url"
> {
  /** Takes these keys from now on. */
  useKeys(keys: readonly string[]): Promise<void>;
  /** The same of the keys of a key store. */
  useStoredKeys(stored: readonly StoredKey[]): Promise<void>;
  /** Takes these settings from now on. */
  useAccessLog(settings: AccessLogSettings): Promise<void>;
  /** Metrics of each worker, and of those that have ended. */
  families(): readonly (readonly MetricFamily[])[];
  /** Brings `counts`, `load`, `families` and `searchStatus` up to date. */
  refresh(): Promise<void>;
  /** Status of the worker whose index is furthest behind; null while one has none. */
  searchStatus(): SearchReport | null;
}
