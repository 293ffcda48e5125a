import type { KeyRing } from "../keys.ts";
import type { Limits } from "../limits.ts";
import type { ServerEvents } from "../log/server-events.ts";
import { AdmissionQueue } from "./admission-queue.ts";
import { createGuessesMemory, type GuessesMemory } from "./key-guesses.ts";
import { LoopDelay } from "./loop-delay.ts";
import { Places } from "./places.ts";
import { clearCells, type CellsMemory, createCellsMemory, SharedCells } from "./shared-cells.ts";
import { SharedBound } from "./shared-bound.ts";

/** The names of what all workers of a process count together, in memory that they share. */
const counted = [
  "connections",
  "answers",
  "bodies",
  "smallBodies",
  "waiting",
  "places",
  "batchPlaces",
  "placeWaiters",
  "compressions",
] as const;

type CountedMemory = Readonly<Record<(typeof counted)[number], CellsMemory>>;

export interface GateMemory extends CountedMemory {
  readonly guesses: GuessesMemory;
}

/** One of several servers of a process, which count together. */
export interface WorkerGate {
  readonly memory: GateMemory;
  /** Number of this server among them, from 0. */
  readonly worker: number;
}

/** Keys, and addresses of keys, that hold something at once. More of them share cells, and count as one. */
const HOLDERS = 4096;

export const createGateMemory = (connections: number, workers: number): GateMemory =>
  ({
    ...Object.fromEntries(
      counted.map((name) => [
        name,
        createCellsMemory(name === "connections" ? connections : HOLDERS, workers),
      ]),
    ),
    guesses: createGuessesMemory(),
  }) as unknown as GateMemory;

/** Forgets what a worker held that is gone. */
export const clearGate = (memory: GateMemory, worker: number): void => {
  for (const name of counted) clearCells(memory[name], worker);
};

/** Share of `owedBytes` that bodies may have besides. Their first 4 KiB may have as much again. */
const BODIES_SHARE = 1 / 8;

/** Share of the time of a call for which it waits for a place. */
const PLACE_WAIT_SHARE = 1 / 15;

export interface GateOptions {
  readonly limits: Pick<Limits, "callTimeoutMs" | "owedBytes" | "readViews" | "waitingRequests">;
  readonly keys: Pick<KeyRing, "size">;
  readonly events: ServerEvents;
  /** Null = alone. */
  readonly shared: WorkerGate | null;
}

/**
 * Admits requests, and knows what all callers hold together, over all connections and workers. Callers queue on their
 * connection, and to be admitted (`queue`).
 */
export class Gate {
  /** Requests that wait, on their connection or to be admitted. */
  readonly waiting: SharedBound;
  /** Bytes of answers that callers have not received yet. */
  readonly answers: SharedBound;
  /** Bytes of calls that are being received, or are not answered, without the first 4 KiB of each. */
  readonly bodies: SharedBound;
  /** Those first bytes. */
  readonly smallBodies: SharedBound;
  readonly places: Places;
  readonly queue: AdmissionQueue;
  /** Requests that Node has parsed of connections that were refused for one request too many. They take no place of others. */
  refusedRequests = 0;
  /** The server is stopping: replies close their connection. */
  isDraining = false;
  readonly #loopDelay = new LoopDelay();

  constructor({ limits, keys, events, shared }: GateOptions) {
    const cellsOf = (name: keyof CountedMemory): SharedCells | null =>
      shared === null ? null : new SharedCells(shared.memory[name], shared.worker);
    const { owedBytes, waitingRequests, readViews, callTimeoutMs } = limits;
    this.waiting = new SharedBound(waitingRequests, cellsOf("waiting"));
    this.answers = new SharedBound(owedBytes, cellsOf("answers"));
    this.bodies = new SharedBound(BODIES_SHARE * owedBytes, cellsOf("bodies"));
    this.smallBodies = new SharedBound(BODIES_SHARE * owedBytes, cellsOf("smallBodies"));
    const placeWaitMs = PLACE_WAIT_SHARE * callTimeoutMs;
    this.places = new Places({
      readViews,
      waitMs: placeWaitMs,
      keys,
      cells: { taken: cellsOf("places"), batches: cellsOf("batchPlaces"), waiting: cellsOf("placeWaiters") },
    });
    const hasWorkers = shared !== null;
    this.queue = new AdmissionQueue({ ...this, events, loopDelay: this.#loopDelay, placeWaitMs, hasWorkers });
  }

  /** Bytes of all bodies. */
  get bodyBytes(): number {
    return this.smallBodies.held + this.bodies.held;
  }

  start(): void {
    this.#loopDelay.start();
  }

  stop(): void {
    this.#loopDelay.stop();
    this.queue.stop();
  }
}
