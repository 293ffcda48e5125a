import {
  type Commitment,
  type MaybePromise,
  type Opening,
  type ReadView,
  StateMoved,
  type ViewSource,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import type { Caller, KeyRing, WaitingForView } from "../keys.ts";
import type { Limits } from "../limits.ts";
import { type CallHolder, SharedBound } from "../shared-bound.ts";

/** Shares of `viewWaitMs`: requests may wait for so long one after another, and then for so long each. */
const BURST_SHARE = 8;
const OVERLOAD_SHARE = 40;

/** Share of the views that batches hold at once: a batch keeps its view until its last call, and single calls need some. */
const BATCH_SHARE = 3 / 4;

/** A request, which holds its places until it is over. */
export interface ViewHolder {
  /** Whether it holds its views over several calls. */
  readonly isBatch: boolean;
  addPlace(): void;
  /** No view was opened in the place that was added last: gives it back, unless it has been given back with all others. */
  dropPlace(): void;
}

/**
 * Shares the read views of a store among keys. A key holds at most `readViewsPerKey` where there are several keys, and
 * the keys that wait are served in turn, as are the addresses of each key, so that none can keep the others from being answered.
 */
export class ViewShares {
  readonly #viewSource: ViewSource;
  readonly #limits: Limits;
  readonly #keys: Pick<KeyRing, "size">;
  readonly #viewsOfBatches: number;
  #inUse = 0;
  #inUseOfBatches = 0;
  readonly #waiting: SharedBound;
  /** Keys with waiting requests; the one served last goes to the end. */
  readonly #order = new Set<Caller>();

  constructor(viewSource: ViewSource, limits: Limits, keys: Pick<KeyRing, "size">) {
    this.#viewSource = viewSource;
    this.#limits = limits;
    this.#keys = keys;
    this.#waiting = new SharedBound(limits.viewQueue);
    this.#viewsOfBatches = Math.ceil(BATCH_SHARE * limits.readViews);
  }

  get #viewsPerKey(): number {
    return this.#keys.size > 1 ? this.#limits.readViewsPerKey : this.#limits.readViews;
  }

  get inUse(): number {
    return this.#inUse;
  }

  get waiting(): number {
    return this.#waiting.held;
  }

  /**
   * Opens a view for a caller, who holds one place more from then on. No place is held for a view that the store does not
   * open.
   *
   * @throws LamplightError `STORE__BUSY` when the queue is full, or past `viewWaitMs`; what the store throws
   */
  openView(
    by: CallHolder,
    commitment: Commitment,
    holder: ViewHolder,
    opening?: Opening,
  ): MaybePromise<ReadView> {
    const { caller } = by;
    if (this.#inUse < this.#limits.readViews && caller.views < this.#viewsPerKey && this.#isOpenTo(holder)) {
      this.#take(caller, holder);
      return this.#open(commitment, holder, opening);
    }
    return this.#wait(by, holder).then(() => this.#open(commitment, holder, opening));
  }

  #open(commitment: Commitment, holder: ViewHolder, opening: Opening | undefined): MaybePromise<ReadView> {
    const onError = (error: unknown): never => {
      // The call starts again in the same place.
      if (!(error instanceof StateMoved)) holder.dropPlace();
      throw error;
    };
    try {
      const view = this.#viewSource.openView(commitment, opening);
      return view instanceof Promise ? view.catch(onError) : view;
    } catch (error) {
      return onError(error);
    }
  }

  /** Opens another view in a place that the caller still holds, after its first view was closed. */
  openAgain(commitment: Commitment): MaybePromise<ReadView> {
    return this.#viewSource.openView(commitment);
  }

  giveBack({ caller }: CallHolder, places: number, { isBatch }: ViewHolder): void {
    this.#inUse -= places;
    if (isBatch) this.#inUseOfBatches -= places;
    caller.views -= places;
    if (this.#order.size > 0) this.#serveWaiting();
  }

  #isOpenTo({ isBatch }: Pick<ViewHolder, "isBatch">): boolean {
    return !isBatch || this.#inUseOfBatches < this.#viewsOfBatches;
  }

  #take(caller: Caller, holder: ViewHolder): void {
    this.#inUse++;
    if (holder.isBatch) this.#inUseOfBatches++;
    caller.views++;
    holder.addPlace();
  }

  #wait(by: CallHolder, holder: ViewHolder): Promise<void> {
    const { caller, address } = by;
    if (!this.#waiting.hasRoom(by, 1)) throw this.#busy();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(deadline);
        const own = caller.waiting.get(address)!;
        own.delete(waiting);
        if (own.size === 0) caller.waiting.delete(address);
        this.#waiting.remove(by, 1);
        if (caller.waiting.size === 0) this.#order.delete(caller);
      };
      const refuse = (): void => {
        leave();
        reject(this.#busy());
      };
      const deadline = setTimeout(refuse, this.#limits.viewWaitMs);
      const serve = (): void => {
        leave();
        this.#take(caller, holder);
        resolve();
      };
      const sinceMs = performance.now();
      const waiting = { holder, sinceMs, serve, refuse };
      if (caller.waiting.size === 0) caller.waitingSinceMs = sinceMs;
      const own = caller.waiting.get(address);
      if (own === undefined) caller.waiting.set(address, new Set([waiting]));
      else own.add(waiting);
      this.#order.add(caller);
      this.#waiting.add(by, 1);
    });
  }

  #serveWaiting(): void {
    while (this.#inUse < this.#limits.readViews) {
      const next = this.#findNext();
      if (next === null) return;
      const { caller, address, waiting } = next;
      this.#order.delete(caller);
      this.#order.add(caller);
      const own = caller.waiting.get(address)!;
      caller.waiting.delete(address);
      caller.waiting.set(address, own);
      if (this.#isTooOld(waiting, caller)) waiting.refuse();
      else waiting.serve();
    }
  }

  /** The oldest request that may have a view, of the first key that may hold one more, and of its first address. */
  #findNext(): {
    readonly caller: Caller;
    readonly address: string;
    readonly waiting: WaitingForView;
  } | null {
    for (const caller of this.#order) {
      if (caller.views >= this.#viewsPerKey) continue;
      for (const [address, own] of caller.waiting)
        for (const waiting of own) if (this.#isOpenTo(waiting.holder)) return { caller, address, waiting };
    }
    return null;
  }

  /**
   * More requests of the key arrive than can be answered: those that are answered should not all be late. A few callers,
   * each of which waits for its answers, are no reason.
   */
  #isTooOld({ sinceMs }: WaitingForView, { waitingSinceMs }: Caller): boolean {
    const { overloadQueue, viewWaitMs } = this.#limits;
    if (this.#waiting.held < overloadQueue) return false;
    const nowMs = performance.now();
    return nowMs - waitingSinceMs > viewWaitMs / BURST_SHARE && nowMs - sinceMs > viewWaitMs / OVERLOAD_SHARE;
  }

  #busy(): LamplightError {
    return new LamplightError("STORE__BUSY", { limit: this.#limits.readViews });
  }
}
