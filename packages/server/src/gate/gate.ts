import { turns } from "@lamplight/core";

import type { KeyRing } from "../keys.ts";
import type { Limits } from "../limits.ts";
import type { WaitReason } from "../observe/request-record.ts";
import { AdmissionQueue } from "./admission-queue.ts";
import type { CountedMemory, WorkerGate } from "./gate-memory.ts";
import { type GatedRequest, isCheap, mayStart } from "./gated-request.ts";
import { LOOP_DELAY_MS, LoopDelay } from "./loop-delay.ts";
import { Places } from "./places.ts";
import { SharedCells } from "./shared-cells.ts";
import { SharedBound } from "./shared-bound.ts";

/** Share of `owedBytes` that bodies may have besides. Their first 4 KiB may have as much again. */
const BODIES_SHARE = 1 / 8;

/** Share of the time of a call for which it waits for a place. */
const PLACE_WAIT_SHARE = 1 / 15;

export interface GateOptions {
  readonly limits: Pick<Limits, "callTimeoutMs" | "owedBytes" | "readViews" | "waitingRequests">;
  readonly keys: Pick<KeyRing, "size">;
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

  constructor({ limits, keys, shared }: GateOptions) {
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
    const { waiting, places } = this;
    this.queue = new AdmissionQueue({ waiting, places, placeWaitMs, hasWorkers: shared !== null });
  }

  /** Bytes of all bodies. */
  get bodyBytes(): number {
    return this.smallBodies.held + this.bodies.held;
  }

  /**
   * Starts the calls of a request where there are time and a place for it and no other comes first. Otherwise it waits, or
   * is refused. What it waits for; null where it does not wait.
   */
  enter(request: GatedRequest): WaitReason | null {
    if (!request.hasRoom(1)) {
      request.refuseOwed();
      return null;
    }
    if (this.#isOverloaded(request)) {
      request.refuseOverload(this.queue.size);
      return null;
    }
    if (this.#startsNow(request)) {
      request.begin();
      return null;
    }
    request.isForPlace = !this.places.isOpenTo(request);
    if (this.waiting.hasRoom(request.holder, 1)) {
      this.queue.add(request);
      return request.isForPlace ? "read_view" : "start";
    }
    if (request.isForPlace) request.beginWithoutPlace();
    else request.refuseOverload(this.queue.size);
    return null;
  }

  /**
   * All rounds of the event loop took longer than `LOOP_DELAY_MS` for `OVERLOAD_AFTER_MS`. Cheap calls are refused only at
   * twice that delay.
   */
  #isOverloaded({ kind }: GatedRequest): boolean {
    const delayMs = this.#loopDelay.standingMs;
    return delayMs > 0 && (!isCheap(kind) || delayMs > 2 * LOOP_DELAY_MS);
  }

  #startsNow(request: GatedRequest): boolean {
    const { kind } = request;
    const isNext = this.waiting.held === 0 || this.queue.isNext(kind);
    return isNext && mayStart(kind) && !turns.isUsedUp() && this.places.tryTake(request);
  }

  start(): void {
    this.#loopDelay.start();
  }

  stop(): void {
    this.#loopDelay.stop();
    this.queue.stop();
  }
}
