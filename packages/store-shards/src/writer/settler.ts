import { setTimeout as sleep } from "node:timers/promises";
import { brokenInvariant, isLamplightError } from "@lamplight/errors";
import type { PostgresCoordinator, ShardWriter } from "@lamplight/store-postgres";
import {
  DELTAS_PER_STEP_MAX,
  HOLD_BACK_MS,
  RETRY_FIRST_MS,
  RETRY_MAX_MS,
  SETTLED_BODY_MS,
  UNSETTLED_DELTAS_MAX,
  unsettledBytesMax,
} from "../limits.ts";
import type { NumberedDelta, NumberedPath } from "../numbered-delta.ts";
import { rowsOfShard } from "./split-delta.ts";

/** The part of the coordinator that moves the numbers of deltas. */
export type DeltaMarks = Pick<PostgresCoordinator, "begin" | "settle" | "forget">;
/** A shard that rows are written to. */
export type ShardTarget = Pick<ShardWriter, "write">;

export interface SettlerOptions {
  readonly marks: DeltaMarks;
  readonly shards: readonly ShardTarget[];
  readonly epoch: number;
  /** Published deltas that are not settled, ascending. */
  readonly unsettled: readonly NumberedDelta[];
  /** The newest delta that an earlier writer has started: those up to it are repeated at once. */
  readonly started: number;
  /** The newest delta that every shard has. */
  readonly settled: number;
  readonly holdBackMs?: number;
}

interface Waiting {
  readonly numbered: NumberedDelta;
  readonly dueMs: number;
}

/**
 * Brings published deltas into the rows of the shards, in their order: `started` first, then the rows, then `settled`. It
 * runs in parallel with the commits. A shard that cannot be written makes the rows lag, and is tried again.
 */
export class Settler {
  readonly #options: SettlerOptions;
  readonly #stopping = new AbortController();
  readonly #holdBackMs: number;
  #waiting: readonly Waiting[] = [];
  #settled: readonly { readonly number: number; readonly atMs: number }[] = [];
  #isHurried = false;
  #failure: unknown = null;
  /** Number of the newest delta that it was given. */
  #newest: number;
  #news = Promise.withResolvers<void>();
  #loop: Promise<void> = Promise.resolve();

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#holdBackMs = options.holdBackMs ?? HOLD_BACK_MS;
    this.#newest = options.settled;
    for (const numbered of options.unsettled) this.#push(numbered, numbered.number <= options.started);
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Takes the next delta, which is published. */
  add(numbered: NumberedDelta): void {
    this.#push(numbered, false);
    this.#announce();
  }

  get newest(): number {
    return this.#newest;
  }

  /** The deltas that are not settled, newest first. */
  get path(): NumberedPath {
    return this.#waiting.map(({ numbered }) => numbered).toReversed();
  }

  /**
   * Waits until another delta fits into the bounds.
   *
   * @throws the failure of the last attempt while they are exceeded; LamplightError `STORE__LOCKED` for ever once
   * another writer has taken over
   */
  async room(): Promise<void> {
    while (this.#isFull() || isLamplightError(this.#failure, "STORE__LOCKED")) {
      if (this.#failure !== null) throw this.#failure;
      this.#assertRunning();
      await this.#news.promise;
    }
  }

  /**
   * Settles every published delta now, without holding it back.
   *
   * @throws the failure of the last attempt
   */
  async drain(): Promise<void> {
    this.#isHurried = true;
    this.#announce();
    try {
      while (this.#waiting.length > 0) {
        this.#assertRunning();
        await this.#news.promise;
        if (this.#failure !== null) throw this.#failure;
      }
    } finally {
      this.#isHurried = false;
    }
  }

  /** Ends the running step. The next writer goes on with the rest. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#announce();
    await this.#loop;
  }

  #push(numbered: NumberedDelta, isDue: boolean): void {
    this.#newest = numbered.number;
    const dueMs = isDue ? 0 : performance.now() + this.#holdBackMs;
    this.#waiting = [...this.#waiting, { numbered, dueMs }];
  }

  /** Nothing is announced any more where it has ended. */
  #assertRunning(): void {
    if (this.#stopping.signal.aborted) throw this.#failure ?? brokenInvariant("the writer was closed");
  }

  #isFull(): boolean {
    const bytes = this.#waiting.reduce((sum, { numbered }) => sum + numbered.bytes, 0);
    return this.#waiting.length >= UNSETTLED_DELTAS_MAX || bytes >= unsettledBytesMax();
  }

  #announce(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers<void>();
  }

  async #run(): Promise<void> {
    let retryMs = RETRY_FIRST_MS;
    while (!this.#stopping.signal.aborted) {
      const due = this.#due();
      if (due.length === 0) {
        await this.#untilDue();
        continue;
      }
      try {
        await this.#settle(due);
        this.#failure = null;
        retryMs = RETRY_FIRST_MS;
      } catch (error) {
        this.#failure = error;
        if (isLamplightError(error, "STORE__LOCKED")) this.#stopping.abort();
        await this.#pause(retryMs);
        retryMs = Math.min(2 * retryMs, RETRY_MAX_MS);
      }
      this.#announce();
    }
  }

  #due(): readonly NumberedDelta[] {
    const nowMs = performance.now();
    const count = this.#waiting.findIndex(({ dueMs }) => dueMs > nowMs && !this.#isHurried);
    const due = count < 0 ? this.#waiting : this.#waiting.slice(0, count);
    // Deltas that an earlier writer has started are repeated as one step, so that `started` never goes back.
    const repeated = due.filter(({ dueMs }) => dueMs === 0).length;
    return due.slice(0, Math.max(repeated, DELTAS_PER_STEP_MAX)).map(({ numbered }) => numbered);
  }

  async #untilDue(): Promise<void> {
    const [first] = this.#waiting;
    const news = this.#news.promise;
    if (first === undefined) return news;
    await Promise.race([news, this.#pause(Math.max(1, first.dueMs - performance.now()))]);
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  async #settle(due: readonly NumberedDelta[]): Promise<void> {
    const { marks, shards, epoch } = this.#options;
    const through = due.at(-1)!.number;
    await marks.begin(through);
    const written = await Promise.allSettled(
      shards.map(async (shard, place) => {
        for (const numbered of due) await shard.write(epoch, rowsOfShard(numbered, place, shards.length));
      }),
    );
    for (const one of written) if (one.status === "rejected") throw one.reason;
    await marks.settle(through);
    this.#waiting = this.#waiting.slice(due.length);
    await this.#forgetOld(through);
  }

  async #forgetOld(through: number): Promise<void> {
    const nowMs = performance.now();
    this.#settled = [...this.#settled, { number: through, atMs: nowMs }];
    const old = this.#settled.findLast(({ atMs }) => atMs < nowMs - SETTLED_BODY_MS);
    if (old === undefined) return;
    await this.#options.marks.forget(old.number);
    this.#settled = this.#settled.filter(({ number }) => number > old.number);
  }
}
