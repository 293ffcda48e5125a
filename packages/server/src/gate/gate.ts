import type { KeyRing } from "../keys.ts";
import type { Limits } from "../limits.ts";
import type { ServerEvents } from "../log/server-events.ts";
import { LoopDelay } from "./loop-delay.ts";
import { Places } from "./places.ts";
import { clearCells, type CellsMemory, createCellsMemory, SharedCells } from "./shared-cells.ts";
import { SharedBound } from "./shared-bound.ts";
import { StartQueue } from "./start-queue.ts";

/** The names of what all workers of a process count together, in memory that they share. */
const counted = [
  "connections",
  "answers",
  "bodies",
  "waiting",
  "places",
  "batchPlaces",
  "placeWaiters",
  "compressions",
] as const;

export type GateMemory = Readonly<Record<(typeof counted)[number], CellsMemory>>;

/** One of several servers of a process, which count together. */
export interface WorkerGate {
  readonly memory: GateMemory;
  /** Number of this server among them, from 0. */
  readonly worker: number;
}

/** Keys, and addresses of keys, that hold something at once. More of them share cells, and count as one. */
const HOLDERS = 4096;

export const createGateMemory = (connections: number, workers: number): GateMemory =>
  Object.fromEntries(
    counted.map((name) => [name, createCellsMemory(name === "connections" ? connections : HOLDERS, workers)]),
  ) as unknown as GateMemory;

/** Forgets what a worker held that is gone. */
export const clearGate = (memory: GateMemory, worker: number): void => {
  for (const name of counted) clearCells(memory[name], worker);
};

/** Share of `owedBytes` that bodies may have besides. */
const BODIES_SHARE = 1 / 8;

export interface GateOptions {
  readonly limits: Pick<Limits, "callTimeoutMs" | "owedBytes" | "readViews" | "waitingRequests">;
  readonly keys: Pick<KeyRing, "size">;
  readonly events: ServerEvents;
  /** Null = alone. */
  readonly shared: WorkerGate | null;
}

/**
 * Admits requests, and knows what all callers hold together, over all connections and workers. Callers queue on their
 * connection, to be started (`starts`), and for a place (`places`).
 */
export class Gate {
  /** Requests that wait: of a connection, to be started, or for a place. */
  readonly waiting: SharedBound;
  /** Bytes of answers that callers have not received yet. */
  readonly answers: SharedBound;
  /** Bytes of calls that are being received, or are not answered. */
  readonly bodies: SharedBound;
  readonly places: Places;
  readonly starts: StartQueue;
  /** Requests that Node has parsed of connections that were refused for one request too many. They take no place of others. */
  refusedRequests = 0;
  readonly #loopDelay = new LoopDelay();

  constructor({ limits, keys, events, shared }: GateOptions) {
    const cellsOf = (name: keyof GateMemory): SharedCells | null =>
      shared === null ? null : new SharedCells(shared.memory[name], shared.worker);
    const { owedBytes, waitingRequests } = limits;
    this.waiting = new SharedBound(waitingRequests, cellsOf("waiting"));
    this.answers = new SharedBound(owedBytes, cellsOf("answers"));
    this.bodies = new SharedBound(BODIES_SHARE * owedBytes, cellsOf("bodies"));
    this.places = new Places({
      ...limits,
      keys,
      waiting: this.waiting,
      cells: { taken: cellsOf("places"), batches: cellsOf("batchPlaces"), waiting: cellsOf("placeWaiters") },
    });
    this.starts = new StartQueue({ ...this, events, loopDelay: this.#loopDelay });
  }

  start(): void {
    this.#loopDelay.start();
  }

  stop(): void {
    this.#loopDelay.stop();
    this.places.stop();
  }
}
