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

interface Waiting extends Queued {
  readonly holder: CallHolder;
  readonly isBatch: boolean;
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
 */
export class Places {
  readonly #options: PlacesOptions;
  readonly #max: number;
  readonly #waitMs: number;
  readonly #taken: SharedTally;
  readonly #ofBatches: SharedTally;
  readonly #waiting: SharedTally;
  readonly #queue = new FairQueue<Waiting>();
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
    return this.#queue.size;
  }

  /** @throws LamplightError `STORE__BUSY` when too many wait, or no place came free in time */
  take(holder: CallHolder, isBatch: boolean): MaybePromise<Permit> {
    const permit = this.#isLeaving ? null : this.#tryTake(holder, isBatch);
    return permit ?? this.#wait(holder, isBatch);
  }

  stop(): void {
    if (this.#polling !== null) clearInterval(this.#polling);
    this.#polling = null;
    this.#isLeaving = false;
  }

  #tryTake(holder: CallHolder, isBatch: boolean): Permit | null {
    if (!this.#isOpenTo(holder, isBatch)) return null;
    this.#taken.add(holder, 1);
    if (isBatch) this.#ofBatches.add(holder, 1);
    // It counts first and compares then: two workers that count at the same time never both pass the bound.
    if (this.#taken.heldByAll > this.#max) {
      this.#leave(holder, isBatch);
      return null;
    }
    return { release: () => this.#release(holder, isBatch) };
  }

  #isOpenTo(holder: CallHolder, isBatch: boolean): boolean {
    if (this.#taken.heldByAll >= this.#max || !this.#isOpenToKey(holder.caller)) return false;
    return !isBatch || this.#ofBatches.heldByAll < Math.ceil(BATCH_SHARE * this.#max);
  }

  #isOpenToKey(caller: Caller | null): boolean {
    const ofKey = this.#options.keys.size > 1 ? Math.max(1, Math.floor(KEY_SHARE * this.#max)) : this.#max;
    return this.#taken.heldByKey(caller) < ofKey;
  }

  #leave(holder: CallHolder, isBatch: boolean): void {
    this.#taken.remove(holder, 1);
    if (isBatch) this.#ofBatches.remove(holder, 1);
  }

  /** Where requests of another worker wait too, every second place is left to them. They find it when they look next. */
  #release(holder: CallHolder, isBatch: boolean): void {
    this.#leave(holder, isBatch);
    if (this.#queue.size === 0) return;
    this.#isLeaving = !this.#isLeaving && this.#waiting.heldByOtherWorkers > 0;
    if (!this.#isLeaving) this.#serve(1);
  }

  #look(): void {
    if (!this.#isLeaving) this.#serve(this.#max);
    this.#isLeaving = false;
  }

  #wait(holder: CallHolder, isBatch: boolean): Promise<Permit> {
    const { waiting: allWaiting } = this.#options;
    if (!allWaiting.hasRoom(holder, 1)) throw this.#busy();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(deadline);
        this.#queue.remove(waiting);
        this.#waiting.remove(holder, 1);
        allWaiting.remove(holder, 1);
        if (this.#queue.size === 0) this.stop();
      };
      const waiting: Waiting = {
        holder,
        isBatch,
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
      this.#queue.add(waiting, waiting.sinceMs);
      this.#waiting.add(holder, 1);
      allWaiting.add(holder, 1);
      if (this.#options.cells.taken !== null)
        this.#polling ??= setInterval(() => this.#look(), POLL_MS).unref();
    });
  }

  #serve(most: number): void {
    let served = 0;
    for (let next = this.#next(); next !== null && served < most; next = this.#next()) {
      const isLate = this.#isLate(next);
      const permit = isLate ? null : this.#tryTake(next.holder, next.isBatch);
      if (permit === null && !isLate) return;
      this.#queue.moveBack(next);
      if (permit === null) next.refuse(this.#busy());
      else next.serve(permit);
      served += isLate ? 0 : 1;
    }
  }

  #next(): Waiting | null {
    if (this.#taken.heldByAll >= this.#max) return null;
    return this.#queue.find(
      ({ holder, isBatch }) => this.#isOpenTo(holder, isBatch),
      (caller) => this.#isOpenToKey(caller),
    );
  }

  /**
   * More requests of the key arrive than can be answered: those that are answered should not all be late. A few callers,
   * each of which waits for its answers, are no reason.
   */
  #isLate(waiting: Waiting): boolean {
    if (this.#queue.size < OVERLOAD_QUEUE) return false;
    const nowMs = performance.now();
    const standingMs = nowMs - this.#queue.waitingSinceMs(waiting);
    return standingMs > BURST_SHARE * this.#waitMs && nowMs - waiting.sinceMs > OVERLOAD_SHARE * this.#waitMs;
  }

  #busy(): LamplightError {
    return new LamplightError("STORE__BUSY", { limit: this.#max });
  }
}
