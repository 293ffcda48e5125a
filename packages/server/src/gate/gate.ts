import { turns } from "@lamplight/core";

import type { KeyRing } from "../keys.ts";
import type { Limits } from "../limits.ts";
import type { WaitReason } from "../observe/request-record.ts";
import { AdmissionQueue } from "./admission-queue.ts";
import type { CountedMemory, WorkerGate } from "./gate-memory.ts";
import { type GatedRequest, isCheap, mayStart, needsPlace, type RequestKind } from "./gated-request.ts";
import { LOOP_DELAY_MS, LoopDelay } from "./loop-delay.ts";
import { SharedCells } from "./shared-cells.ts";
import { type Holder, SharedBound } from "./shared-bound.ts";

/** Share of `owedBytes` that bodies may have besides. Their first 4 KiB may have as much again. */
const BODIES_SHARE = 1 / 8;

/** Share of the time of a call for which it waits for a place. */
const PLACE_WAIT_SHARE = 1 / 15;

/** Share of the places that batches hold at once: a batch keeps its view until its last call, and single calls need some. */
const BATCH_SHARE = 3 / 4;

/** Share of the places that one key holds at once where there are several. */
const KEY_SHARE = 1 / 2;

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
  /** Places among the sessions of the store, of all workers together, and those of them that batches hold. */
  readonly places: SharedBound;
  readonly batchPlaces: SharedBound;
  readonly placesMax: number;
  readonly queue: AdmissionQueue;
  /** Requests that Node has parsed of connections that were refused for one request too many. They take no place of others. */
  refusedRequests = 0;
  /** The server is stopping: replies close their connection. */
  isDraining = false;
  readonly #keys: GateOptions["keys"];
  readonly #loopDelay = new LoopDelay();

  constructor({ limits, keys, shared }: GateOptions) {
    const cellsOf = (name: keyof CountedMemory): SharedCells | null =>
      shared === null ? null : new SharedCells(shared.memory[name], shared.worker);
    const { owedBytes, waitingRequests, readViews, callTimeoutMs } = limits;
    this.waiting = new SharedBound(waitingRequests, cellsOf("waiting"));
    this.answers = new SharedBound(owedBytes, cellsOf("answers"));
    this.bodies = new SharedBound(BODIES_SHARE * owedBytes, cellsOf("bodies"));
    this.smallBodies = new SharedBound(BODIES_SHARE * owedBytes, cellsOf("smallBodies"));
    this.places = new SharedBound(readViews, cellsOf("places"));
    this.batchPlaces = new SharedBound(readViews, cellsOf("batchPlaces"));
    this.placesMax = readViews;
    this.#keys = keys;
    this.queue = new AdmissionQueue(this, PLACE_WAIT_SHARE * callTimeoutMs, cellsOf("placeWaiters"));
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
    request.isForPlace = needsPlace(request) && !this.isOpenTo(request);
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
    // Requests of the queue are counted as waiting.
    if (this.waiting.held > 0 && !this.queue.isNext(kind)) return false;
    if (!mayStart(kind) || turns.isUsedUp()) return false;
    return !needsPlace(request) || this.takePlace(request);
  }

  /** Whether a place is open to a request. */
  isOpenTo({ holder: { caller }, kind }: Pick<GatedRequest, "holder" | "kind">): boolean {
    return this.isOpen(kind) && this.isOpenToKey(caller);
  }

  /** Whether any key may get one. */
  isOpen(kind: RequestKind): boolean {
    if (this.places.heldByAll + this.queue.left >= this.placesMax) return false;
    return kind !== "batch" || this.batchPlaces.heldByAll < Math.ceil(BATCH_SHARE * this.placesMax);
  }

  isOpenToKey(caller: Holder["caller"]): boolean {
    const max = this.placesMax;
    const ofKey = this.#keys.size > 1 ? Math.max(1, Math.floor(KEY_SHARE * max)) : max;
    return this.places.heldByKey(caller) < ofKey;
  }

  /** Takes a place for a request; false, and nothing taken, where none is open to it. */
  takePlace(request: GatedRequest): boolean {
    if (!this.isOpenTo(request)) return false;
    this.#countPlaces(request, 1);
    // It counts first and compares then: two workers that count at the same time never both pass the bound.
    if (this.places.heldByAll <= this.placesMax) return true;
    this.#countPlaces(request, -1);
    return false;
  }

  /** Gives the places of a request back. Mostly the queue then has nothing to do: nothing waits, and no spare session was used. */
  dropPlaces(request: GatedRequest): void {
    this.#countPlaces(request, -request.held);
    if (request.spare > 0 || this.waiting.held + this.queue.batches.size > 0)
      this.queue.onPlacesFree(request);
  }

  #countPlaces(request: GatedRequest, more: number): void {
    request.held += more;
    count(this.places, request.holder, more);
    if (request.kind === "batch") count(this.batchPlaces, request.holder, more);
  }

  start(): void {
    this.#loopDelay.start();
  }

  stop(): void {
    this.#loopDelay.stop();
    this.queue.stop();
  }
}

const count = (bound: SharedBound, holder: Holder, more: number): void =>
  more > 0 ? bound.add(holder, more) : bound.remove(holder, -more);
