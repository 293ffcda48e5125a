import { turns } from "@lamplight/core";

import { type GatedRequest, isCheap, mayStart, needsPlace, type RequestKind } from "./gated-request.ts";
import { FairQueue, type Moment } from "./fair-queue.ts";
import { OVERLOAD_AFTER_MS, ownTimeMs } from "./loop-delay.ts";
import type { SharedCells } from "./shared-cells.ts";
import type { Holder, SharedBound } from "./shared-bound.ts";

/** Processor time: under overload, a call is refused after it has waited for so long. */
const OVERLOAD_WAIT_MS = 25;

/** While fewer requests wait than this, none is refused: a few callers that wait for each answer are no overload. */
const OVERLOAD_QUEUE = 64;

/** Shares of the time for which a request waits for a place: requests may wait for so long one after another, and then for so long each. */
const BURST_SHARE = 1 / 8;
const OVERLOAD_SHARE = 1 / 40;

/** Time between two checks whether another worker has given a place back. */
const POLL_MS = 2;

/** The members of `Gate` that the queue needs. */
interface QueueGate {
  /** All requests that wait, also those on their connections. */
  readonly waiting: SharedBound;
  readonly placesMax: number;
  isOpen(kind: RequestKind): boolean;
  isOpenToKey(caller: Holder["caller"]): boolean;
  isOpenTo(request: GatedRequest): boolean;
  takePlace(request: GatedRequest): boolean;
}

/** A batch that waits for a further place. */
interface WaitingBatch {
  readonly request: GatedRequest;
  readonly serve: () => void;
}

/**
 * Starts requests when the turn of the event loop has time for them, and when there is a place for them among the sessions of the
 * store: cheap ones first, the keys in turn, and the addresses of each key. Where places are short, the kinds take turns.
 * It refuses calls under overload, so that the others are answered in time. Two signs show it; `Gate` knows a third:
 *
 * - The queue was never empty for `OVERLOAD_AFTER_MS`. Then calls that waited longer than `OVERLOAD_WAIT_MS` are refused.
 *   While fewer than `OVERLOAD_QUEUE` wait, none is refused: a few callers that wait for each answer keep a queue too.
 *   Keys that wait with fewer than the average are not refused, nor are such addresses of a key.
 * - A key has waited for places without a break. Then its requests that waited long are started without one.
 *
 * A request that is started without a place is answered as far as it reads nothing. Its reads fail with `STORE__BUSY`.
 *
 * A batch that reads at a further commitment takes another place. Where none is open to it, it uses a spare session of the store, one
 * batch of a worker at a time: else batches could all wait for what they hold themselves.
 */
export class AdmissionQueue {
  readonly #gate: QueueGate;
  readonly #placeWaitMs: number;
  /** Where workers count those that wait for their first place; null = there is one worker. */
  readonly #waiters: SharedCells | null;
  /** Batches that wait for a further place or for the spare sessions, the oldest first. */
  readonly batches = new Set<WaitingBatch>();
  /** Places that were given back, and are left to other workers until the next look. */
  left = 0;
  /** Whether the last place that was given back was left to them. */
  #hasLeft = false;
  /** The batch that uses spare sessions. */
  #withSpare: GatedRequest | null = null;
  /** Those that wait for their first place. */
  #forPlace = 0;
  readonly #queues: Readonly<Record<RequestKind, FairQueue<GatedRequest>>> = {
    "without reads": new FairQueue(),
    cheap: new FairQueue(),
    list: new FairQueue(),
    batch: new FairQueue(),
  };
  /** The kind of which a request is started next comes first. */
  readonly #kinds: RequestKind[] = ["cheap", "without reads", "list", "batch"];
  #size = 0;
  /** Processor time at which a list or a batch was last started. */
  #otherStartedAtMs = 0;
  #isScheduled = false;
  #polling: NodeJS.Timeout | null = null;

  constructor(gate: QueueGate, placeWaitMs: number, waiters: SharedCells | null) {
    this.#gate = gate;
    this.#placeWaitMs = placeWaitMs;
    this.#waiters = waiters;
  }

  get size(): number {
    return this.#size;
  }

  /** Those for which there is no place now. */
  get waitingForPlace(): number {
    const gate = this.#gate;
    let waiting = 0;
    for (const kind of this.#kinds) {
      const queue = this.#queues[kind];
      if (kind === "without reads" || queue.size === 0) continue;
      waiting += gate.isOpen(kind) ? queue.countKept((caller) => gate.isOpenToKey(caller)) : queue.size;
    }
    return waiting;
  }

  stop(): void {
    if (this.#polling !== null) clearInterval(this.#polling);
    this.#polling = null;
  }

  /** Whether no request of a kind waits that could be started now. */
  isNext(kind: RequestKind): boolean {
    if (this.#queues[kind].size === 0) return true;
    if (this.#isScheduled) return false;
    if (this.#open(kind) === null) return true;
    // Another worker has given a place back: those that wait for it come first.
    this.#goOn();
    return false;
  }

  /** Keeps a request until there are time and a place for it. */
  add(request: GatedRequest): void {
    const { kind, holder } = request;
    request.since = { ownMs: ownTimeMs(), wallMs: performance.now() };
    if (!isCheap(kind) && this.#queues.list.size + this.#queues.batch.size === 0)
      this.#otherStartedAtMs = request.since.ownMs;
    this.#gate.waiting.add(holder, 1);
    this.#size++;
    this.#queues[kind].add(request);
    if (needsPlace(request)) {
      request.placeTimer = setTimeout(() => this.#onPlaceTimer(request), this.#placeWaitMs);
      this.#countForPlace(1);
      this.#poll();
    }
    if (!request.isForPlace) this.#goOnLater();
  }

  #leave(request: GatedRequest): void {
    const { kind, holder, placeTimer } = request;
    if (placeTimer !== null) clearTimeout(placeTimer);
    this.#queues[kind].remove(request);
    this.#gate.waiting.remove(holder, 1);
    this.#size--;
    if (needsPlace(request)) this.#countForPlace(-1);
    if (this.#size > 0) return;
    this.left = 0;
    this.#hasLeft = false;
    if (this.batches.size === 0) this.stop();
  }

  #countForPlace(more: number): void {
    this.#forPlace += more;
    this.#waiters?.addToAll(more);
  }

  /** Places were given back: those that wait get them. */
  onPlacesFree(request: GatedRequest): void {
    request.spare = 0;
    if (this.#withSpare === request) this.#withSpare = null;
    this.#serveBatches();
    this.#leaveToOthers();
    this.#goOn();
  }

  /** Where requests of another worker wait too, every second place is left to them. They find it when they look next. */
  #leaveToOthers(): void {
    this.#hasLeft = !this.#hasLeft && this.#forPlace > 0 && (this.#waiters?.allOfOthers ?? 0) > 0;
    if (this.#hasLeft) this.left = Math.min(this.left + 1, Math.ceil(this.#gate.placesMax / 2));
  }

  /**
   * A further place for a batch: a promise of it, or null where it has one now.
   *
   * @throws LamplightError `STORE__BUSY` where it waited too long
   */
  takeFurtherPlace(request: GatedRequest): Promise<void> | null {
    if (!this.#tryFurther(request)) return this.#waitForFurther(request);
    request.used++;
    return null;
  }

  #tryFurther(request: GatedRequest): boolean {
    if (this.#gate.takePlace(request)) return true;
    if (this.#withSpare !== null && this.#withSpare !== request) return false;
    this.#withSpare = request;
    request.spare++;
    return true;
  }

  #waitForFurther(request: GatedRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(deadline);
        this.batches.delete(waiting);
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
        reject(request.noPlace());
      }, this.#placeWaitMs);
      this.batches.add(waiting);
      this.#poll();
    });
  }

  #serveBatches(): void {
    for (const batch of this.batches) if (this.#tryFurther(batch.request)) batch.serve();
  }

  #onPlaceTimer(request: GatedRequest): void {
    // It only waits for time, and is started in one of the next turns.
    if (this.#gate.isOpenTo(request)) return void request.placeTimer?.refresh();
    this.#leave(request);
    request.beginWithoutPlace();
  }

  /** Looks again and again for places that other workers give back, while anything waits for one. */
  #poll(): void {
    if (this.#waiters !== null) this.#polling ??= setInterval(() => this.#look(), POLL_MS).unref();
  }

  #look(): void {
    this.left = 0;
    this.#serveBatches();
    if (this.#size > 0) this.#goOn();
    else if (this.batches.size === 0) this.stop();
  }

  /** In this turn, behind what has just given a place back. */
  #goOn(): void {
    if (this.#isScheduled || this.#size === 0) return;
    this.#isScheduled = true;
    queueMicrotask(this.#startWaiting);
  }

  #goOnLater(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    turns.start(this.#startWaiting);
  }

  readonly #startWaiting = (): void => {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      // The immediate part of the call runs after this function: only then the used time is known.
      if (!this.#startOne(next)) return afterPromises(this.#startWaiting);
    }
    this.#isScheduled = false;
    // Those that wait for a place go on when one is given back.
    if (this.#first(anyone) !== null) this.#goOnLater();
  };

  /** The one that is started next; null where all wait for time or a place. */
  #next(): GatedRequest | null {
    const isUsedUp = turns.isUsedUp();
    const cheap = isUsedUp ? null : this.#first(isCheap);
    const other = this.#mayStartOther(isUsedUp) ? this.#first((kind) => !isCheap(kind)) : null;
    if (cheap === null || other === null) return cheap ?? other;
    const isShortOfPlaces = cheap.isForPlace || other.isForPlace;
    return isShortOfPlaces ? this.#first(anyone) : cheap;
  }

  /** One list or batch is started now and then, however many cheap calls wait. */
  #mayStartOther(isUsedUp: boolean): boolean {
    if (!isUsedUp) return mayStart("list");
    if (this.#queues.list.size + this.#queues.batch.size === 0) return false;
    return ownTimeMs() - this.#otherStartedAtMs > OVERLOAD_WAIT_MS;
  }

  /** Of these kinds, the next request for which there is a place. */
  #first(isOf: (kind: RequestKind) => boolean): GatedRequest | null {
    for (const kind of this.#kinds) {
      const next = isOf(kind) ? this.#open(kind) : null;
      if (next !== null) return next;
    }
    return null;
  }

  #open(kind: RequestKind): GatedRequest | null {
    const gate = this.#gate;
    const queue = this.#queues[kind];
    if (queue.size === 0) return null;
    if (kind === "without reads") return queue.find(anyone);
    return gate.isOpen(kind) ? queue.find((caller) => gate.isOpenToKey(caller)) : null;
  }

  /** Whether the call is over. */
  #startOne(waiting: GatedRequest): boolean {
    const { kind } = waiting;
    const now = { ownMs: ownTimeMs(), wallMs: performance.now() };
    const isLate = this.#isLate(waiting, now);
    // Another worker may have been faster.
    if (!isLate && needsPlace(waiting) && !this.#gate.takePlace(waiting)) return true;
    this.#queues[kind].moveBack(waiting);
    this.#leave(waiting);
    this.#moveKindBack(kind);
    if (!isCheap(kind)) this.#otherStartedAtMs = now.ownMs;
    if (isLate && waiting.isForPlace) return waiting.beginWithoutPlace();
    if (isLate) waiting.refuseOverload(this.#size);
    // More may be owed than when the head of the request was read.
    else if (waiting.hasRoom(1)) return waiting.begin();
    else waiting.refuseOwed();
    return true;
  }

  /** More requests arrive than can be answered: those that are answered should not all be late. */
  #isLate(waiting: GatedRequest, now: Moment): boolean {
    const queue = this.#queues[waiting.kind];
    const { since, isForPlace } = waiting;
    if (!isForPlace)
      return (
        this.#size >= OVERLOAD_QUEUE &&
        queue.standingMs(now) > OVERLOAD_AFTER_MS &&
        now.ownMs - since.ownMs > OVERLOAD_WAIT_MS &&
        queue.isOfLargeShare(waiting)
      );
    const placeWaitMs = this.#placeWaitMs;
    return (
      queue.size >= OVERLOAD_QUEUE &&
      queue.keyStandingMs(waiting, now) > BURST_SHARE * placeWaitMs &&
      now.wallMs - since.wallMs > OVERLOAD_SHARE * placeWaitMs
    );
  }

  #moveKindBack(kind: RequestKind): void {
    this.#kinds.push(...this.#kinds.splice(this.#kinds.indexOf(kind), 1));
  }
}

const anyone = (): boolean => true;

/** Behind every promise that is settled by now, and every one that this settles. */
const afterPromises = (next: () => void): void => queueMicrotask(() => process.nextTick(next));
