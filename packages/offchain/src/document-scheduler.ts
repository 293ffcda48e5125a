// Selects the next document to fetch. Queues take turns, so that neither a slow host nor a flood of URIs delays the
// others.

import { setImmediate } from "node:timers/promises";
import { gatewayQueues, type OffchainRow, type OffchainStore } from "@lamplight/core";
import { DueRows, type ReadAhead } from "./due-rows.ts";
import type { DocumentFetcher, FetchFailureStatus } from "./fetch-outcome.ts";
import type { OffchainLimits } from "./offchain-limits.ts";

export interface SchedulerOptions {
  readonly store: Pick<OffchainStore, "findQueueAfter" | "listDue">;
  readonly fetcher: Pick<DocumentFetcher, "startDelayMs" | "placesOf">;
  readonly limits: Pick<
    OffchainLimits,
    "requestsAtOnce" | "requestsAtOncePerQueue" | "requestsAtOncePerGatewayQueue" | "failuresInRowMax"
  >;
  readonly nowMs: () => number;
}

interface Queue {
  readonly due: DueRows;
  /** URIs of attempts that run. */
  readonly running: Set<string>;
  /** Those, and URIs whose outcome is not written yet. */
  readonly busy: Set<string>;
  failuresInRow: number;
  /** Whether its last attempt took long. */
  isSlow: boolean;
}

/** Queues remembered. Beyond it, those that ran longest ago are dropped. */
const QUEUES_MAX = 10_000;
/** Queues that are known to have due rows. Beyond it, those that wait longest are dropped until they are found again. */
const ACTIVE_MAX = 1000;
/** Queues checked in one turn of the event loop. */
const QUEUES_PER_TURN = 256;
/** After a round over all queues, the next one waits for this many times its duration, and at least so long. */
const REST_FACTOR = 20;
const REST_MS_MIN = 50;
/** Share of all concurrent requests that failing sites get together, at least one. */
const FAILING_SHARE = 0.25;
/** The same for failing and slow sites. */
const SLOW_SHARE = 0.5;
/** Milliseconds after which an attempt counts as slow. */
const SLOW_MS = 3000;

export class DocumentScheduler {
  readonly #options: SchedulerOptions;
  readonly #readAhead: ReadAhead = { chars: 0 };
  readonly #queues = new Map<string, Queue>();
  /** Queues with due rows, in the order of their turns. */
  readonly #active = new Set<string>();
  /** Queue and start of each URI that is being fetched. */
  readonly #running = new Map<
    string,
    { readonly queue: Queue; readonly name: string; readonly startedMs: number }
  >();
  /** Queues whose outcomes are not written yet, by URI. */
  readonly #unwritten = new Map<string, Queue>();
  /** The queue up to which this round over all queues came. */
  #cursor = "";
  #roundMs = 0;
  #restUntilMs = 0;
  #wakeMs = Infinity;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Milliseconds until a row may start that `next` delayed; infinite if only the end of an attempt helps. */
  get wakeMs(): number {
    return this.#wakeMs;
  }

  /** Number of attempts that run. */
  get running(): number {
    return this.#running.size;
  }

  /**
   * Returns a due row that may start now, and counts it as running; null where there is none.
   *
   * @param isThorough - check all queues before null is answered, also shortly after a round over all of them
   */
  async next(isThorough: boolean, signal: AbortSignal): Promise<OffchainRow | null> {
    if (this.#running.size >= this.#options.limits.requestsAtOnce) return null;
    this.#wakeMs = Infinity;
    const row = (await this.#pickNew(signal)) ?? (await this.#pickActive(signal));
    if (row !== null || !isThorough || this.#wakeMs < Infinity) return row;
    [this.#cursor, this.#restUntilMs] = ["", 0];
    return this.#pickNew(signal);
  }

  /** Frees the place. @param status - of a failure; null after a success, or if the attempt was aborted */
  end(uri: string, status: FetchFailureStatus | null): void {
    const attempt = this.#running.get(uri);
    if (attempt === undefined) return;
    const { queue, startedMs } = attempt;
    this.#running.delete(uri);
    queue.running.delete(uri);
    this.#unwritten.set(uri, queue);
    queue.isSlow = performance.now() - startedMs >= SLOW_MS;
    // A server that answers 404 works.
    queue.failuresInRow = status === "failed" ? queue.failuresInRow + 1 : 0;
  }

  /** The outcome is in the store, or there is none: the row may be read again. */
  release(uri: string): void {
    this.#unwritten.get(uri)?.busy.delete(uri);
    this.#unwritten.delete(uri);
  }

  /** Rows have become due, or changed: what was read ahead may be outdated. */
  forget(): void {
    for (const { due } of this.#queues.values()) due.forget();
    this.#restUntilMs = 0;
  }

  /** A row of a queue that was not known to have due rows, on the way of a round over all queues. */
  async #pickNew(signal: AbortSignal): Promise<OffchainRow | null> {
    if (performance.now() < this.#restUntilMs) return null;
    const startedMs = performance.now();
    for (let seen = 1; !signal.aborted; seen += 1) {
      if (seen % QUEUES_PER_TURN === 0) await setImmediate();
      const found = await this.#options.store.findQueueAfter(this.#cursor);
      if (found === null) break;
      this.#cursor = found.queue;
      if (found.dueMs > this.#options.nowMs() || this.#active.has(found.queue)) continue;
      this.#activate(found.queue);
      const row = await this.#pick(found.queue);
      if (row === null) continue;
      this.#roundMs += performance.now() - startedMs;
      return row;
    }
    const nowMs = performance.now();
    this.#restUntilMs = nowMs + Math.max(REST_MS_MIN, (this.#roundMs + nowMs - startedMs) * REST_FACTOR);
    [this.#cursor, this.#roundMs] = ["", 0];
    return null;
  }

  async #pickActive(signal: AbortSignal): Promise<OffchainRow | null> {
    for (const name of this.#active) {
      if (signal.aborted) return null;
      const row = await this.#pick(name);
      if (row !== null) return row;
    }
    return null;
  }

  #activate(name: string): void {
    this.#active.add(name);
    if (this.#active.size <= ACTIVE_MAX) return;
    const [oldest = ""] = this.#active;
    this.#active.delete(oldest);
    this.#queues.get(oldest)?.due.forget();
  }

  /** A row of that queue that is due and may start, noted as running. */
  async #pick(name: string): Promise<OffchainRow | null> {
    const queue = this.#queueOf(name);
    if (queue.running.size >= this.#placesOf(name, queue)) return null;
    const row = await queue.due.peek(this.#options.store, this.#options.nowMs(), queue.busy);
    if (row === null) {
      this.#active.delete(name);
      return null;
    }
    const delayMs = this.#options.fetcher.startDelayMs?.(row.uri) ?? 0;
    if (delayMs > 0) {
      this.#wakeMs = Math.min(this.#wakeMs, delayMs);
      return null;
    }
    queue.due.take(row);
    queue.running.add(row.uri);
    queue.busy.add(row.uri);
    this.#running.set(row.uri, { queue, name, startedMs: performance.now() });
    // Moves it to the end of both orders.
    this.#active.delete(name);
    this.#active.add(name);
    return row;
  }

  /** Moves the queue to the end of the order in which queues are dropped. */
  #queueOf(name: string): Queue {
    const due = new DueRows(name, this.#readAhead);
    const queue = this.#queues.get(name) ?? {
      due,
      running: new Set(),
      busy: new Set(),
      failuresInRow: 0,
      isSlow: false,
    };
    this.#queues.delete(name);
    this.#queues.set(name, queue);
    this.#dropOldest();
    return queue;
  }

  #dropOldest(): void {
    if (this.#queues.size <= QUEUES_MAX) return;
    for (const [name, { busy, due }] of this.#queues) {
      if (busy.size > 0 || this.#active.has(name)) continue;
      due.forget();
      this.#queues.delete(name);
      return;
    }
  }

  #placesOf(name: string, queue: Queue): number {
    const { fetcher, limits } = this.#options;
    const places = fetcher.placesOf?.(name) ?? null;
    // A gateway also fails for a document that does not exist, so it must not slow down others.
    if (gatewayQueues.has(name)) return places ?? limits.requestsAtOncePerGatewayQueue;
    const isFailing = this.#isFailing(name, queue);
    if (!isFailing && !queue.isSlow) return places ?? limits.requestsAtOncePerQueue;
    if (isFailing && !this.#isFree(FAILING_SHARE, (other, of) => this.#isFailing(other, of))) return 0;
    const isCostly = (other: string, of: Queue): boolean =>
      this.#isFailing(other, of) || (of.isSlow && !gatewayQueues.has(other));
    if (!this.#isFree(SLOW_SHARE, isCostly)) return 0;
    return isFailing ? 1 : (places ?? limits.requestsAtOncePerQueue);
  }

  /** Whether queues of a kind run less than their share of all requests. */
  #isFree(share: number, isOfKind: (name: string, queue: Queue) => boolean): boolean {
    let running = 0;
    for (const { name, queue } of this.#running.values()) if (isOfKind(name, queue)) running += 1;
    return running < Math.max(1, Math.floor(this.#options.limits.requestsAtOnce * share));
  }

  #isFailing(name: string, queue: Queue): boolean {
    return queue.failuresInRow >= this.#options.limits.failuresInRowMax && !gatewayQueues.has(name);
  }
}
