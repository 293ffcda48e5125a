import { turns } from "@lamplight/core";

import type { Limits } from "../limits.ts";
import type { ServerEvents } from "../log/server-events.ts";
import type { Owed } from "../owed.ts";
import { type Holder, SharedBound } from "../shared-bound.ts";
import type { Entry } from "./envelope.ts";
import { FairQueue } from "./fair-queue.ts";
import type { LoopDelay } from "./loop-delay.ts";
import { ownTimeMs } from "./own-time.ts";

/** The calls of one request, which are started or refused together. */
export interface WaitingCalls {
  /** Whether all is answered already. */
  begin(): boolean;
  refuse(reason: string): void;
}

interface Waiting {
  readonly holder: Holder;
  readonly calls: WaitingCalls;
  readonly sinceMs: number;
}

/** Expensive calls that are answered in slices at the same time: with more of them, all would be late. */
const SLICED_CALLS_MAX = 8;

/** Methods whose calls may read many rows. */
const listMethods: ReadonlySet<string> = new Set([
  "searchAssets",
  "getNftEditions",
  "getTokenAccountsByDelegate",
]);

/** Whether a request costs about as much as one read. */
export const isCheap = (entries: readonly Entry[]): boolean => {
  const entry = entries[0]!;
  return entries.length === 1 && !(entry.kind === "call" && listMethods.has(entry.method));
};

/**
 * Starts the calls that the current turn of the event loop has no time for in later turns: cheap ones first, the
 * keys in turn, and the addresses of each key. Where calls have had to wait for `overloadAfterMs` without a break, more
 * arrive than can be answered. Then those that waited longer than `overloadWaitMs` are refused, so that the others are
 * answered in time. While fewer
 * than `overloadQueue` wait, none is refused: a few callers, each of which waits for its answers, keep a queue too.
 */
export class CallQueue {
  readonly #limits: Limits;
  readonly #events: ServerEvents;
  readonly #owed: Owed;
  readonly #loopDelay: LoopDelay;
  readonly #cheap = new FairQueue<Waiting>();
  readonly #others = new FairQueue<Waiting>();
  readonly #waiting: SharedBound;
  /** When a call of `#others` was last taken. */
  #otherTakenAtMs = 0;
  #isScheduled = false;

  constructor(limits: Limits, events: ServerEvents, owed: Owed, loopDelay: LoopDelay) {
    this.#limits = limits;
    this.#waiting = new SharedBound(limits.callQueue);
    this.#events = events;
    this.#owed = owed;
    this.#loopDelay = loopDelay;
  }

  get size(): number {
    return this.#cheap.size + this.#others.size;
  }

  enter(holder: Holder, calls: WaitingCalls, isCheapCall: boolean): void {
    const { loopDelayMs } = this.#limits;
    const queue = isCheapCall ? this.#cheap : this.#others;
    if (this.#owed.isFullFor(holder)) return this.#refuseOwed(calls);
    const delayMs = this.#loopDelay.standingMs;
    // Cheap calls are refused at twice the delay.
    if (delayMs > 0 && (!isCheapCall || delayMs > 2 * loopDelayMs)) return this.#refuse(calls);
    if (queue.size === 0 && this.#mayStart(isCheapCall) && !turns.isUsedUp()) {
      calls.begin();
      return;
    }
    if (!this.#waiting.hasRoom(holder, 1)) return this.#refuse(calls);
    const nowMs = ownTimeMs();
    if (queue === this.#others && queue.size === 0) this.#otherTakenAtMs = nowMs;
    this.#waiting.add(holder, 1);
    queue.add(holder, { holder, calls, sinceMs: nowMs }, nowMs);
    this.#schedule();
  }

  #mayStart(isCheapCall: boolean): boolean {
    return isCheapCall || turns.interrupted < SLICED_CALLS_MAX;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    turns.start(this.#startWaiting);
  }

  readonly #startWaiting = (): void => {
    for (let queue = this.#nextQueue(); queue !== null; queue = this.#nextQueue()) {
      // What the call can do at once happens behind this function: only then the used time is known.
      if (!this.#startOne(queue)) return afterPromises(this.#startWaiting);
    }
    this.#isScheduled = false;
    if (this.#cheap.size + this.#others.size > 0) this.#schedule();
  };

  /** Cheap calls come first, but one other call is started now and then, however many cheap ones wait. */
  #nextQueue(): FairQueue<Waiting> | null {
    const isUsedUp = turns.isUsedUp();
    if (this.#cheap.size > 0 && !isUsedUp) return this.#cheap;
    if (this.#others.size === 0) return null;
    if (!isUsedUp) return this.#mayStart(false) ? this.#others : null;
    return ownTimeMs() - this.#otherTakenAtMs > this.#limits.overloadWaitMs ? this.#others : null;
  }

  /** Whether the call is over. */
  #startOne(queue: FairQueue<Waiting>): boolean {
    const { overloadAfterMs, overloadQueue, overloadWaitMs } = this.#limits;
    const nowMs = ownTimeMs();
    if (queue === this.#others) this.#otherTakenAtMs = nowMs;
    const isOverloaded = this.size >= overloadQueue && queue.standingMs(nowMs) > overloadAfterMs;
    const { holder, calls, sinceMs } = queue.take()!;
    this.#waiting.remove(holder, 1);
    if (this.#owed.isFullFor(holder)) {
      this.#refuseOwed(calls);
      return true;
    }
    if (!isOverloaded || nowMs - sinceMs <= overloadWaitMs) return calls.begin();
    this.#refuse(calls);
    return true;
  }

  #refuse(calls: WaitingCalls): void {
    this.#events.note("overloaded", { waiting: this.#cheap.size + this.#others.size });
    calls.refuse("calls arrive faster than they can be answered");
  }

  /** More than when the head of the request was read. */
  #refuseOwed(calls: WaitingCalls): void {
    this.#events.note("overOwed", { owedBytes: this.#owed.bytes.held });
    calls.refuse("too many answers have not been read");
  }
}

/** Behind every promise that is settled by now, and every one that this settles. */
const afterPromises = (next: () => void): void => queueMicrotask(() => process.nextTick(next));
