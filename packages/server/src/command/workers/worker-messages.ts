import type { MetricFamily } from "@lamplight/core";

import type { ServeSettings } from "../../config/settings.ts";
import type { GateMemory } from "../../gate/gate-memory.ts";
import type { ServerLoad } from "../../http/http-transport.ts";
import type { SearchReport } from "../../http/probes.ts";
import type { ServedKeys } from "../../start-server.ts";
import type { ServerCounts } from "../../log/server-events.ts";

/** The data that a worker is started with. */
export interface WorkerSettings {
  /** From 1; by which logs distinguish workers, and its cell among the heartbeats. */
  readonly worker: number;
  /** The settings, with the real port. */
  readonly settings: ServeSettings;
  readonly docsDirectory: string | null;
  /** Memory of `NewestAnswered`. */
  readonly answered: SharedArrayBuffer;
  readonly heartbeats: SharedArrayBuffer;
  readonly gate: GateMemory;
  /** Null = there is no key store. */
  readonly servedKeys: ServedKeys | null;
  /** Whether the main thread follows a chain: it knows how that is. */
  readonly isFollowed: boolean;
  /** Whether it also shows the slots above the finalized one. Else the store does, where it can. */
  readonly isRelayed: boolean;
}

/** The figures of a worker, when the main thread asks for them. */
export interface WorkerFigures {
  readonly counts: ServerCounts;
  readonly load: ServerLoad;
  /** Null while it has no search index. */
  readonly search: SearchReport | null;
  /** Metrics of its requests, calls and thread; empty where none are served. */
  readonly families: readonly MetricFamily[];
}

export interface LogLine {
  readonly level: "info" | "warn" | "error";
  readonly fields: object;
  readonly message: string;
}

/** Names of the calls to the main thread. */
export const toMain = {
  /** With its port: the worker serves. */
  started: "started",
  /** With a `PlainError`: it cannot. */
  failed: "failed",
  log: "log",
  /** With lines of the access log. */
  access: "access",
  /** Answered with the index that was filled for all workers, once it is. */
  searchIndex: "searchIndex",
  unfinalizedHead: "unfinalizedHead",
  unfinalized: "unfinalized",
  finalizedData: "finalizedData",
  liveStatus: "liveStatus",
} as const;

/** Names of the calls of the main thread. */
export const toWorker = {
  accessLog: "accessLog",
  figures: "figures",
  keys: "keys",
  storedKeys: "storedKeys",
  readiness: "readiness",
  stop: "stop",
} as const;
