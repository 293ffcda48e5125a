import { LamplightError } from "@lamplight/errors";

import type { KeyRing } from "../keys.ts";
import type { GatedRequest, RequestKind } from "./gated-request.ts";
import type { SharedCells } from "./shared-cells.ts";
import { type Holder, SharedBound } from "./shared-bound.ts";

/** Share of the places that batches hold at once: a batch keeps its view until its last call, and single calls need some. */
const BATCH_SHARE = 3 / 4;

/** Share of the places that one key holds at once where there are several. */
const KEY_SHARE = 1 / 2;

interface WaitingBatch {
  readonly request: GatedRequest;
  readonly serve: () => void;
}

export interface PlacesOptions {
  /** Places of all keys and workers together. */
  readonly readViews: number;
  /** Time for which a request waits for one. */
  readonly waitMs: number;
  readonly keys: Pick<KeyRing, "size">;
  /** Where all workers count; null = there is one. */
  readonly cells: Readonly<Record<"batches" | "taken" | "waiting", SharedCells | null>>;
}

/**
 * Places among the sessions of a store, of all workers together. A key holds at most half of them where there are several keys,
 * and batches three quarters. A request that waits for its first place waits in `AdmissionQueue`.
 *
 * A batch that reads at a further commitment takes another place. Where none is open to it, it uses a spare session of the store, one
 * batch of a worker at a time: else batches could all wait for what they hold themselves.
 */
export class Places {
  readonly #options: PlacesOptions;
  readonly #max: number;
  readonly #taken: SharedBound;
  readonly #ofBatches: SharedBound;
  /** Called when places were given back. */
  onFree: () => void = () => {};
  /** Called when a batch begins to wait for a further place. */
  onWait: () => void = () => {};
  /** The batch that uses spare sessions. */
  #withSpare: GatedRequest | null = null;
  /** Batches that wait for them, or for a further place, the oldest first. */
  readonly #waitingBatches = new Set<WaitingBatch>();
  /** Requests of this worker that wait for their first place. */
  #waiting = 0;
  /** Places that were given back, and are left to other workers until `stopLeaving`. */
  #left = 0;
  /** Whether the last place that was given back was left to them. */
  #hasLeft = false;

  constructor(options: PlacesOptions) {
    const { readViews, cells } = options;
    this.#options = options;
    this.#max = readViews;
    this.#taken = new SharedBound(readViews, cells.taken);
    this.#ofBatches = new SharedBound(readViews, cells.batches);
  }

  /** Places that callers of this worker hold. */
  get taken(): number {
    return this.#taken.held;
  }

  get waitingBatches(): number {
    return this.#waitingBatches.size;
  }

  isOpenTo({ holder: { caller }, kind }: Pick<GatedRequest, "holder" | "kind">): boolean {
    if (kind === "without reads") return true;
    return this.isOpen(kind) && this.isOpenToKey(caller);
  }

  /** Whether any key may get one. */
  isOpen(kind: RequestKind): boolean {
    if (this.#taken.heldByAll + this.#left >= this.#max) return false;
    return kind !== "batch" || this.#ofBatches.heldByAll < Math.ceil(BATCH_SHARE * this.#max);
  }

  isOpenToKey(caller: Holder["caller"]): boolean {
    const ofKey = this.#options.keys.size > 1 ? Math.max(1, Math.floor(KEY_SHARE * this.#max)) : this.#max;
    return this.#taken.heldByKey(caller) < ofKey;
  }

  /** False, and nothing taken, where none is open to it. A request that reads nothing needs none. */
  tryTake(request: GatedRequest): boolean {
    if (request.kind === "without reads") return true;
    if (!this.isOpenTo(request)) return false;
    this.#take(request);
    // It counts first and compares then: two workers that count at the same time never both pass the bound.
    if (this.#taken.heldByAll <= this.#max) return true;
    this.#leave(request, 1);
    return false;
  }

  /**
   * A place for one more view of a request: a promise of it, or null where it has one now.
   *
   * @throws LamplightError `STORE__BUSY` where it waited too long
   */
  use(request: GatedRequest): Promise<void> | null {
    if (request.isRefused) throw this.#busy();
    if (request.used < request.held + request.spare || this.#takeFurther(request)) {
      request.used++;
      return null;
    }
    return this.#waitForFurther(request);
  }

  /** Gives all places of a request back. */
  release(request: GatedRequest): void {
    if (request.held === 0) return;
    this.#leave(request, request.held);
    request.spare = 0;
    if (this.#withSpare === request) this.#withSpare = null;
    this.serveBatches();
    this.#leaveToOthers();
    this.onFree();
  }

  /** Gives batches that wait the further places that are open to them. */
  serveBatches(): void {
    for (const batch of this.#waitingBatches) if (this.#takeFurther(batch.request)) batch.serve();
  }

  /** Other workers have had time to take what was left to them. */
  stopLeaving(): void {
    this.#left = 0;
  }

  /** Counts requests that wait for their first place, for the other workers. */
  countWaiting(more: number): void {
    this.#waiting += more;
    this.#options.cells.waiting?.addToAll(more);
  }

  /** Where requests of another worker wait too, every second place is left to them. They find it when they look next. */
  #leaveToOthers(): void {
    this.#hasLeft =
      !this.#hasLeft && this.#waiting > 0 && (this.#options.cells.waiting?.allOfOthers ?? 0) > 0;
    if (this.#hasLeft) this.#left = Math.min(this.#left + 1, Math.ceil(this.#max / 2));
  }

  #take(request: GatedRequest): void {
    request.held++;
    this.#taken.add(request.holder, 1);
    if (request.kind === "batch") this.#ofBatches.add(request.holder, 1);
  }

  #leave(request: GatedRequest, places: number): void {
    request.held -= places;
    this.#taken.remove(request.holder, places);
    if (request.kind === "batch") this.#ofBatches.remove(request.holder, places);
  }

  #takeFurther(request: GatedRequest): boolean {
    if (this.tryTake(request)) return true;
    if (this.#withSpare !== null && this.#withSpare !== request) return false;
    this.#withSpare = request;
    request.spare++;
    return true;
  }

  #waitForFurther(request: GatedRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(deadline);
        this.#waitingBatches.delete(waiting);
      };
      const waiting: WaitingBatch = {
        request,
        serve: () => {
          leave();
          request.used++;
          resolve();
        },
      };
      const deadline = setTimeout(() => {
        leave();
        reject(this.#busy());
      }, this.#options.waitMs);
      this.#waitingBatches.add(waiting);
      this.onWait();
    });
  }

  #busy(): LamplightError {
    return new LamplightError("STORE__BUSY", { limit: this.#max });
  }
}
