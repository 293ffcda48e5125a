import { turns } from "@lamplight/core";

import type { ServerEvents } from "../log/server-events.ts";
import { FairQueue, type Queued } from "./fair-queue.ts";
import { LOOP_DELAY_MS, type LoopDelay, OVERLOAD_AFTER_MS } from "./loop-delay.ts";
import { ownTimeMs } from "./own-time.ts";
import type { SharedBound } from "./shared-bound.ts";
import type { Holder } from "./shared-tally.ts";

/** The calls of one request, which are started or refused together. */
export interface WaitingCalls {
  /** Whether all is answered already. */
  begin(): boolean;
  refuse(reason: string): void;
}

interface Waiting extends Queued {
  readonly calls: WaitingCalls;
  readonly sinceMs: number;
}

/** Expensive calls that are answered in slices at the same time: with more of them, all would be late. */
const SLICED_CALLS_MAX = 8;

/** Processor time: under overload, a call is refused after it has waited for so long. */
const OVERLOAD_WAIT_MS = 25;

/** While fewer requests wait than this, none is refused: a few callers that wait for each answer are no overload. */
export const OVERLOAD_QUEUE = 64;

export interface StartQueueParts {
  /** All requests that wait, also those that wait for a place. */
  readonly waiting: SharedBound;
  /** Bytes that callers have not read. */
  readonly answers: SharedBound;
  readonly events: ServerEvents;
  readonly loopDelay: LoopDelay;
}

/**
 * Starts the calls that the current turn of the event loop has no time for in later turns: cheap ones first, the
 * keys in turn, and the addresses of each key. It refuses calls under overload, so that the others are answered in time.
 * Two signs show overload:
 *
 * - The queue was never empty for `OVERLOAD_AFTER_MS`. Then calls that waited longer than `OVERLOAD_WAIT_MS` are refused.
 *   While fewer than `OVERLOAD_QUEUE` wait, none is refused: a few callers that wait for each answer keep a queue too.
 * - All rounds of the event loop took longer than `LOOP_DELAY_MS` for `OVERLOAD_AFTER_MS`. Then new calls are refused
 *   before they enter the queue, cheap ones only at twice that delay.
 */
export class StartQueue {
  readonly #parts: StartQueueParts;
  readonly #cheap = new FairQueue<Waiting>();
  readonly #others = new FairQueue<Waiting>();
  /** Time at which a call of `#others` was last taken. */
  #otherTakenAtMs = 0;
  #isScheduled = false;

  constructor(parts: StartQueueParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#cheap.size + this.#others.size;
  }

  enter(holder: Holder, calls: WaitingCalls, isCheapCall: boolean): void {
    const { answers, waiting, loopDelay } = this.#parts;
    const queue = isCheapCall ? this.#cheap : this.#others;
    if (!answers.hasRoomForBytes(holder, 1)) return this.#refuseOwed(calls);
    const delayMs = loopDelay.standingMs;
    // Cheap calls are refused at twice the delay.
    if (delayMs > 0 && (!isCheapCall || delayMs > 2 * LOOP_DELAY_MS)) return this.#refuse(calls);
    if (queue.size === 0 && this.#mayStart(isCheapCall) && !turns.isUsedUp()) {
      calls.begin();
      return;
    }
    if (!waiting.hasRoom(holder, 1)) return this.#refuse(calls);
    const nowMs = ownTimeMs();
    if (queue === this.#others && queue.size === 0) this.#otherTakenAtMs = nowMs;
    waiting.add(holder, 1);
    queue.add({ holder, calls, sinceMs: nowMs }, nowMs);
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
      // The immediate part of the call runs after this function: only then the used time is known.
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
    return ownTimeMs() - this.#otherTakenAtMs > OVERLOAD_WAIT_MS ? this.#others : null;
  }

  /** Whether the call is over. */
  #startOne(queue: FairQueue<Waiting>): boolean {
    const { answers, waiting } = this.#parts;
    const nowMs = ownTimeMs();
    if (queue === this.#others) this.#otherTakenAtMs = nowMs;
    const isOverloaded = this.size >= OVERLOAD_QUEUE && queue.standingMs(nowMs) > OVERLOAD_AFTER_MS;
    const { holder, calls, sinceMs } = queue.take()!;
    waiting.remove(holder, 1);
    if (!answers.hasRoomForBytes(holder, 1)) {
      this.#refuseOwed(calls);
      return true;
    }
    if (!isOverloaded || nowMs - sinceMs <= OVERLOAD_WAIT_MS) return calls.begin();
    this.#refuse(calls);
    return true;
  }

  #refuse(calls: WaitingCalls): void {
    this.#parts.events.note("overloaded", { waiting: this.#cheap.size + this.#others.size });
    calls.refuse("calls arrive faster than they can be answered");
  }

  /** More than when the head of the request was read. */
  #refuseOwed(calls: WaitingCalls): void {
    const { answers, events } = this.#parts;
    events.note("overOwed", { owedBytes: answers.held });
    calls.refuse("too many answers have not been read");
  }
}

/** Behind every promise that is settled by now, and every one that this settles. */
const afterPromises = (next: () => void): void => queueMicrotask(() => process.nextTick(next));
