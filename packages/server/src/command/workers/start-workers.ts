import { getHeapStatistics } from "node:v8";
import { type AddressBytes, type LiveStatus, NewestAnswered } from "@lamplight/core";
import type { UnfinalizedRelay } from "@lamplight/runtime/views";

import type { ServeSettings } from "../../config/settings.ts";
import { clearGate, createGateMemory } from "../../gate/gate-memory.ts";
import { clearInProgress } from "../../gate/key-cells.ts";
import { fitConnections } from "../../http/descriptor-limit.ts";
import type { AccessLine } from "../../log/access-settings.ts";
import type { Log } from "../../log/log.ts";
import type { ServedKeys } from "../../start-server.ts";
import { FilledIndex } from "./filled-index.ts";
import type { PortHandler } from "./port-calls.ts";
import { WorkerPool } from "./worker-pool.ts";
import { type LogLine, toMain } from "./worker-messages.ts";
import type { RunningWorkers } from "./running-workers.ts";

export interface WorkersOptions {
  readonly settings: ServeSettings;
  readonly docsDirectory: string | null;
  readonly heartbeats: SharedArrayBuffer;
  readonly log: Log;
  readonly writeAccess: (line: AccessLine) => void;
  /** Null = there is no key store. */
  readonly servedKeys: ServedKeys | null;
  /** Status of the following, where this process follows a chain; null = it does not. */
  readonly liveStatus: (() => LiveStatus | Promise<LiveStatus>) | null;
  /** By which it shows the slots above the finalized one; null = the store does, where it can. */
  readonly relay: UnfinalizedRelay | null;
}

/** A worker's heap: its share of what one process may use, and enough for a page of the largest documents. */
const HEAP_MEGABYTES_MIN = 512;
const MEGABYTE = 1024 ** 2;
/** Beyond the time that its calls have, for a busy machine. */
const STOP_SLACK_MS = 10_000;

/**
 * Starts `settings.workers` threads that serve one address; the system spreads connections over them. Each reads the
 * store and keeps its search index by itself, as another process would. The large parts of the index lie in memory that
 * all share.
 *
 * @throws the error that keeps a worker from serving
 */
export const startWorkers = async (options: WorkersOptions): Promise<RunningWorkers> => {
  const { settings, log, writeAccess, docsDirectory, heartbeats, servedKeys, liveStatus, relay } = options;
  const { workers } = settings;
  const connections = fitConnections(settings.limits.connections, log);
  const limits = { ...settings.limits, connections };
  const gate = createGateMemory(connections, workers);
  const answered = new NewestAnswered().memory;
  const write: PortHandler = ({ level, fields, message }: LogLine) => log[level](fields, message);
  // The first worker that could open the store asks for it; null before.
  let index: FilledIndex | null = null;
  const pool = new WorkerPool({
    workers,
    kept: { ...pickKept(settings), storedKeys: servedKeys?.stored ?? [] },
    dataOf: (worker, port, kept) => ({
      worker,
      settings: { ...settings, ...pickKept(kept), limits, port },
      docsDirectory,
      answered,
      heartbeats,
      gate,
      servedKeys: servedKeys === null ? null : { ...servedKeys, stored: kept.storedKeys },
      isFollowed: liveStatus !== null,
      isRelayed: relay !== null,
    }),
    onEnded: (worker) => {
      clearGate(gate, worker - 1);
      if (servedKeys !== null) clearInProgress(servedKeys.cells, worker - 1);
    },
    heapMegabytes: heapMegabytesOf(workers),
    stopMs: limits.lameDuckMs + limits.drainMs + STOP_SLACK_MS,
    answers: {
      [toMain.log]: write,
      [toMain.access]: (lines: readonly AccessLine[]) => lines.forEach(writeAccess),
      [toMain.searchIndex]: () => (index ??= new FilledIndex(settings, write)).shared,
      [toMain.liveStatus]: () => liveStatus?.(),
      [toMain.unfinalizedHead]: () => relay?.readUnfinalizedHead(),
      [toMain.unfinalized]: (known: ReadonlyMap<number, number>) => relay?.readUnfinalized(known),
      [toMain.finalizedData]: (address: AddressBytes) => relay?.readFinalizedData(address),
    },
    heartbeats: new Int32Array(heartbeats),
    log,
  });
  const stop = async (): Promise<void> => {
    await pool.stop();
    await index?.stop();
  };
  try {
    return { ...(await pool.start(settings)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const pickKept = ({
  keys,
  accessLog,
}: Pick<ServeSettings, "accessLog" | "keys">): Pick<ServeSettings, "accessLog" | "keys"> => ({
  keys,
  accessLog,
});

const heapMegabytesOf = (workers: number): number =>
  Math.max(HEAP_MEGABYTES_MIN, Math.floor(getHeapStatistics().heap_size_limit / MEGABYTE / workers));
