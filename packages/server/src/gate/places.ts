import type { MaybePromise } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import type { Caller, KeyRing } from "../keys.ts";
import { FairQueue, type Queued } from "./fair-queue.ts";
import type { SharedBound } from "./shared-bound.ts";
import type { SharedCells } from "./shared-cells.ts";
import { type CallHolder, SharedTally } from "./shared-tally.ts";
import { OVERLOAD_QUEUE } from "./start-queue.ts";

/** Share of the places that batches hold at once: a batch keeps its view until its last call, and single calls need some. */
const BATCH_SHARE = 3 / 4;

/** Share of the places that one key holds at once where there are several. */
const KEY_SHARE = 1 / 2;

/** Share of the time of a call for which it waits for a place. */
const WAIT_SHARE = 1 / 15;

/** Shares of that time: requests may wait for so long one after another, and then for so long each. */
const BURST_SHARE = 1 / 8;
const OVERLOAD_SHARE = 1 / 40;

/** Time between two checks whether another worker has given a place back. */
const POLL_MS = 2;

/** A place among the store's sessions. */
export interface Permit {
  /** Gives it back. Called once. */
  release(): void;
}

/** What one request holds of the places: a batch that reads at several commitments holds several. */
export class PlacesOfRequest {
  readonly holder: CallHolder;
  readonly isBatch: boolean;
  held = 0;
  readonly waiting: Waiting[] = [];

  constructor(holder: CallHolder, isBatch: boolean) {
    this.holder = holder;
    this.isBatch = isBatch;
  }
}

interface Waiting extends Queued {
  readonly request: PlacesOfRequest;
  readonly sinceMs: number;
  readonly serve: (permit: Permit) => void;
  readonly refuse: (error: LamplightError) => void;
}

export interface PlacesOptions {
  /** Places of all keys and workers together. */
  readonly readViews: number;
  readonly callTimeoutMs: number;
  readonly keys: Pick<KeyRing, "size">;
  /** All requests that wait, also those that wait to be started. */
  readonly waiting: SharedBound;
  /** Where all workers count; null = there is one. */
  readonly cells: Readonly<Record<"batches" | "taken" | "waiting", SharedCells | null>>;
}

/**
 * Places among the sessions of a store, of all workers together. A key holds at most half of them where there are several keys, and
 * the keys that wait are served in turn, as are the addresses of each key, so that none can keep the others from being answered.
 * Batches wait by themselves: thousands may wait for their share while single calls are served.
 * Requests that hold a place and need another come before all others, and one at a time may go beyond its shares: else they could
 * all wait for what they hold themselves.
 */
export class Places {
  readonly #options: PlacesOptions;
  readonly #max: number;
  readonly #waitMs: number;
  readonly #taken: SharedTally;
  readonly #ofBatches: SharedTally;
  readonly #waiting: SharedTally;
  readonly #singles = new FairQueue<Waiting>();
  readonly #batches = new FairQueue<Waiting>();
  /** The queue that was served last: where both wait, they take turns. */
  #servedLast = this.#batches;
  /** Those of requests that hold a place already, the oldest first. */
  readonly #further = new Set<Waiting>();
  /** The request that went beyond its shares. */
  #beyond: PlacesOfRequest | null = null;
  #polling: NodeJS.Timeout | null = null;
  /** Whether the last place that was given back is left to other workers. */
  #isLeaving = false;

  constructor(options: PlacesOptions) {
    const { readViews, callTimeoutMs, cells } = options;
    this.#options = options;
    this.#max = readViews;
    this.#waitMs = WAIT_SHARE * callTimeoutMs;
    this.#taken = new SharedTally(readViews, cells.taken);
    this.#ofBatches = new SharedTally(readViews, cells.batches);
    this.#waiting = new SharedTally(readViews, cells.waiting);
  }

  /** Places that callers of this worker hold. */
  get taken(): number {
    return this.#taken.held;
  }

  /** Requests of this worker that wait for one. */
  get waiting(): number {
    return this.#singles.size + this.#batches.size + this.#further.size;
  }

  /** @throws LamplightError `STORE__BUSY` when too many wait, or no place came free in time */
  take(request: PlacesOfRequest): MaybePromise<Permit> {
    const permit = this.#isLeaving ? null : this.#tryTake(request);
    return permit ?? this.#wait(request);
  }

  stop(): void {
    if (this.#polling !== null) clearInterval(this.#polling);
    this.#polling = null;
    this.#isLeaving = false;
  }

  #tryTake(request: PlacesOfRequest): Permit | null {
    const { holder, isBatch } = request;
    const isWithinShares = this.#isOpenToKey(holder.caller) && (!isBatch || this.#isOpenToBatches());
    if (!isWithinShares && !this.#mayGoBeyond(request)) return null;
    if (this.#taken.heldByAll >= this.#max) return null;
    this.#taken.add(holder, 1);
    if (isBatch) this.#ofBatches.add(holder, 1);
    // It counts first and compares then: two workers that count at the same time never both pass the bound.
    if (this.#taken.heldByAll > this.#max) {
      this.#leave(request);
      return null;
    }
    if (!isWithinShares) this.#beyond = request;
    request.held++;
    return { release: () => this.#release(request) };
  }

  #isOpenToBatches(): boolean {
    return this.#ofBatches.heldByAll < Math.ceil(BATCH_SHARE * this.#max);
  }

  #mayGoBeyond(request: PlacesOfRequest): boolean {
    return request.held > 0 && (this.#beyond === null || this.#beyond === request);
  }

  #isOpenToKey(caller: Caller | null): boolean {
    const ofKey = this.#options.keys.size > 1 ? Math.max(1, Math.floor(KEY_SHARE * this.#max)) : this.#max;
    return this.#taken.heldByKey(caller) < ofKey;
  }

  #leave({ holder, isBatch }: PlacesOfRequest): void {
    this.#taken.remove(holder, 1);
    if (isBatch) this.#ofBatches.remove(holder, 1);
  }

  /** Where requests of another worker wait too, every second place is left to them. They find it when they look next. */
  #release(request: PlacesOfRequest): void {
    this.#leave(request);
    request.held--;
    if (request.held === 0 && this.#beyond === request) this.#beyond = null;
    if (this.waiting === 0) return;
    this.#isLeaving = !this.#isLeaving && this.#waiting.heldByOtherWorkers > 0;
    if (!this.#isLeaving) this.#serve(1);
  }

  #look(): void {
    if (!this.#isLeaving) this.#serve(this.#max);
    this.#isLeaving = false;
  }

  #wait(request: PlacesOfRequest): Promise<Permit> {
    const { holder } = request;
    const { waiting: allWaiting } = this.#options;
    if (!allWaiting.hasRoom(holder, 1)) throw this.#busy();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(deadline);
        this.#queueOf(request).remove(waiting);
        this.#further.delete(waiting);
        request.waiting.splice(request.waiting.indexOf(waiting), 1);
        this.#waiting.remove(holder, 1);
        allWaiting.remove(holder, 1);
        if (this.waiting === 0) this.stop();
      };
      const waiting: Waiting = {
        holder,
        request,
        sinceMs: performance.now(),
        serve: (permit) => {
          leave();
          resolve(permit);
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const deadline = setTimeout(() => waiting.refuse(this.#busy()), this.#waitMs);
      request.waiting.push(waiting);
      if (request.held > 0) this.#further.add(waiting);
      else this.#queueOf(request).add(waiting, waiting.sinceMs);
      this.#waiting.add(holder, 1);
      allWaiting.add(holder, 1);
      if (this.#options.cells.taken !== null)
        this.#polling ??= setInterval(() => this.#look(), POLL_MS).unref();
    });
  }

  #serve(most: number): void {
    // A place that is given back may open the way for several that hold one: all of them are served.
    for (let served = 0; this.#serveFurther() || (served < most && this.#serveNext());) served++;
  }

  #serveFurther(): boolean {
    for (const waiting of this.#further) {
      const permit = this.#tryTake(waiting.request);
      if (permit === null) continue;
      waiting.serve(permit);
      return true;
    }
    return false;
  }

  /** Whether one got a place. Those before it that waited too long are refused. */
  #serveNext(): boolean {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const isLate = this.#isLate(next);
      const permit = isLate ? null : this.#tryTake(next.request);
      if (permit === null && !isLate) return false;
      this.#servedLast = this.#queueOf(next.request);
      this.#servedLast.moveBack(next);
      if (permit === null) next.refuse(this.#busy());
      else {
        next.serve(permit);
        this.#moveFurther(next.request);
        return true;
      }
    }
    return false;
  }

  /** What else it waits for comes before all others now. */
  #moveFurther(request: PlacesOfRequest): void {
    for (const one of request.waiting) {
      this.#queueOf(request).remove(one);
      this.#further.add(one);
    }
  }

  #next(): Waiting | null {
    if (this.#taken.heldByAll >= this.#max) return null;
    const [first, second] =
      this.#servedLast === this.#batches ? [this.#singles, this.#batches] : [this.#batches, this.#singles];
    return this.#nextIn(first) ?? this.#nextIn(second);
  }

  #nextIn(queue: FairQueue<Waiting>): Waiting | null {
    if (queue === this.#batches && !this.#isOpenToBatches()) return null;
    return queue.find((caller) => this.#isOpenToKey(caller));
  }

  #queueOf({ isBatch }: PlacesOfRequest): FairQueue<Waiting> {
    return isBatch ? this.#batches : this.#singles;
  }

  /**
   * More requests of the key arrive than can be answered: those that are answered should not all be late. A few callers,
   * each of which waits for its answers, are no reason.
   */
  #isLate(waiting: Waiting): boolean {
    if (this.#queueOf(waiting.request).size < OVERLOAD_QUEUE) return false;
    const nowMs = performance.now();
    const standingMs = nowMs - this.#queueOf(waiting.request).waitingSinceMs(waiting);
    return standingMs > BURST_SHARE * this.#waitMs && nowMs - waiting.sinceMs > OVERLOAD_SHARE * this.#waitMs;
  }

  #busy(): LamplightError {
    return new LamplightError("STORE__BUSY", { limit: this.#max });
  }
}
