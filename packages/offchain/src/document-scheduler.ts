// Selects the next document to fetch. Queues take turns, so that neither a slow host nor a flood of URIs delays the
// others.

import { setImmediate } from "node:timers/promises";
import { type DueOrder, gatewayQueues, type OffchainRow, type OffchainStore } from "@lamplight/core";
import type { DocumentFetcher, FetchFailureStatus } from "./fetch-outcome.ts";
import type { OffchainLimits } from "./offchain-limits.ts";

export interface SchedulerOptions {
  readonly store: Pick<OffchainStore, "findQueueAfter" | "listDue">;
  readonly fetcher: Pick<DocumentFetcher, "startDelayMs">;
  readonly limits: Pick<
    OffchainLimits,
    "requestsAtOnce" | "requestsAtOncePerQueue" | "requestsAtOncePerGatewayQueue" | "failuresInRowMax"
  >;
  readonly nowMs: () => number;
}

interface Queue {
  readonly running: Set<string>;
  failuresInRow: number;
  /** Rows started: the order changes with each. */
  turns: number;
}

/** New mints, waiting mints, and retries take turns, so a flood of one kind gets a third of a queue. */
const orders: readonly DueOrder[] = ["newest", "oldest", "tried"];
/** Queues remembered. Beyond it, those that ran longest ago are dropped. */
const QUEUES_MAX = 10_000;
/** Due queues that may not start yet, remembered until the next round. */
const HELD_BACK_MAX = 1000;
/** Queues checked in one turn of the event loop. */
const QUEUES_PER_TURN = 256;
/** After a long or empty round, the next one waits for this many times its duration. */
const REST_FACTOR = 20;
const LONG_ROUND_MS = 20;
/** Share of all concurrent requests that failing sites get together, at least one. */
const FAILING_SHARE = 0.25;

export class DocumentScheduler {
  readonly #options: SchedulerOptions;
  readonly #queues = new Map<string, Queue>();
  /** Queue of each URI that is being fetched. */
  readonly #running = new Map<string, string>();
  /** The queue that was served last; the round continues after it. */
  #last = "";
  #heldBack = new Set<string>();
  #restUntilMs = 0;
  #wakeMs = Infinity;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Milliseconds until a row may start that `next` delayed; infinite if only the end of an attempt helps. */
  get wakeMs(): number {
    return this.#wakeMs;
  }

  /**
   * Returns a due row that may start now, and counts it as running; null where there is none.
   *
   * @param isThorough - check all queues, also shortly after a round that found nothing
   */
  async next(isThorough: boolean, signal: AbortSignal): Promise<OffchainRow | null> {
    if (this.#running.size >= this.#options.limits.requestsAtOnce) return null;
    this.#wakeMs = Infinity;
    const isResting = !isThorough && performance.now() < this.#restUntilMs;
    return isResting ? this.#pickHeldBack() : this.#pickInRound(signal);
  }

  /** @param status - of a failure; null after a success, or if the attempt was aborted */
  end(uri: string, status: FetchFailureStatus | null): void {
    const name = this.#running.get(uri);
    const queue = name === undefined ? undefined : this.#queues.get(name);
    this.#running.delete(uri);
    if (queue === undefined) return;
    queue.running.delete(uri);
    // A server that answers 404 works.
    queue.failuresInRow = status === "failed" ? queue.failuresInRow + 1 : 0;
  }

  async #pickInRound(signal: AbortSignal): Promise<OffchainRow | null> {
    const startedMs = performance.now();
    const first = this.#last;
    let after = first;
    let isSecondHalf = false;
    this.#heldBack.clear();
    for (let seen = 1; !signal.aborted; seen += 1) {
      if (seen % QUEUES_PER_TURN === 0) await setImmediate();
      const found = await this.#options.store.findQueueAfter(after);
      if (found === null || (isSecondHalf && found.queue > first)) {
        if (isSecondHalf) break;
        [isSecondHalf, after] = [true, ""];
        continue;
      }
      after = found.queue;
      if (found.dueMs > this.#options.nowMs()) continue;
      const row = await this.#pick(found.queue);
      if (row === null) continue;
      this.#last = found.queue;
      if (performance.now() - startedMs >= LONG_ROUND_MS) this.#rest(startedMs);
      return row;
    }
    this.#rest(startedMs);
    return null;
  }

  #rest(startedMs: number): void {
    const nowMs = performance.now();
    this.#restUntilMs = nowMs + (nowMs - startedMs) * REST_FACTOR;
  }

  async #pickHeldBack(): Promise<OffchainRow | null> {
    const names = this.#heldBack;
    this.#heldBack = new Set();
    let picked: OffchainRow | null = null;
    for (const name of names) {
      if (picked === null) picked = await this.#pick(name);
      else this.#heldBack.add(name);
    }
    return picked;
  }

  /** A row of that queue that is due and may start, noted as running. */
  async #pick(name: string): Promise<OffchainRow | null> {
    const queue = this.#queues.get(name) ?? { running: new Set(), failuresInRow: 0, turns: 0 };
    const delayed = (): null => {
      if (this.#heldBack.size < HELD_BACK_MAX) this.#heldBack.add(name);
      return null;
    };
    if (queue.running.size >= this.#placesOf(name, queue)) return delayed();
    const row = await this.#findRow(name, queue);
    if (row === null) return null;
    const delayMs = this.#options.fetcher.startDelayMs?.(row.uri) ?? 0;
    if (delayMs > 0) {
      this.#wakeMs = Math.min(this.#wakeMs, delayMs);
      return delayed();
    }
    queue.turns += 1;
    queue.running.add(row.uri);
    this.#running.set(row.uri, name);
    this.#remember(name, queue);
    return row;
  }

  async #findRow(name: string, queue: Queue): Promise<OffchainRow | null> {
    const { nowMs, store } = this.#options;
    for (const step of orders.keys()) {
      const order = orders[(queue.turns + step) % orders.length]!;
      // One more than the running ones, because these are still due.
      const rows = await store.listDue(name, nowMs(), order, queue.running.size + 1);
      const row = rows.find(({ uri }) => !queue.running.has(uri));
      if (row !== undefined) return row;
    }
    return null;
  }

  #placesOf(name: string, queue: Queue): number {
    const { limits } = this.#options;
    // A gateway also fails for a document that does not exist, so it must not slow down others.
    if (gatewayQueues.has(name)) return limits.requestsAtOncePerGatewayQueue;
    if (!this.#isFailing(name, queue)) return limits.requestsAtOncePerQueue;
    let failing = 0;
    for (const other of this.#running.values()) {
      if (this.#isFailing(other, this.#queues.get(other))) failing += 1;
    }
    return failing < Math.max(1, Math.floor(limits.requestsAtOnce * FAILING_SHARE)) ? 1 : 0;
  }

  #isFailing(name: string, queue: Queue | undefined): boolean {
    const failures = queue?.failuresInRow ?? 0;
    return failures >= this.#options.limits.failuresInRowMax && !gatewayQueues.has(name);
  }

  /** Moves the queue to the end of the order. */
  #remember(name: string, queue: Queue): void {
    this.#queues.delete(name);
    this.#queues.set(name, queue);
    if (this.#queues.size <= QUEUES_MAX) return;
    for (const [other, { running }] of this.#queues) {
      if (running.size > 0) continue;
      this.#queues.delete(other);
      return;
    }
  }
}
