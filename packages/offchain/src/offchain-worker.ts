// The worker that fetches off-chain documents. It notes the URIs of changed assets, fetches what is due, and stores
// the result. It never changes chain state: assets show a document as soon as its row is written.

import { setImmediate, setTimeout } from "node:timers/promises";
import type { IndexReader, OffchainRow, OffchainStore } from "@lamplight/core";
import { Attempts } from "./attempts.ts";
import { dateRefreshes } from "./date-refreshes.ts";
import { DocumentScheduler } from "./document-scheduler.ts";
import { FetchCounter, type FetchCounts, type FetchReport } from "./fetch-counts.ts";
import { type DocumentFetcher, failure, type FetchOutcome } from "./fetch-outcome.ts";
import { offchainLimits } from "./offchain-limits.ts";
import { pruneDocuments } from "./prune-documents.ts";
import { RegularSweep } from "./regular-sweep.ts";
import { RowWrites } from "./row-writes.ts";
import { isOld, newRow, settle } from "./settle-row.ts";

export interface OffchainWorkerOptions {
  readonly store: OffchainStore;
  /** The feed of changed assets. */
  readonly index: Pick<IndexReader, "readAssetsChangedSince">;
  readonly fetcher: DocumentFetcher;
  readonly requestsAtOnce?: number;
  /**
   * Milliseconds after which a URI that no asset names any more loses its row, counted from when an asset first named it.
   * Null, the default: never.
   */
  readonly orphansMs?: number | null;
  /**
   * Milliseconds after which a document that can change is requested again, with the validators of its server. Null, the
   * default: only when an asset that names it changes. Documents that were fetched before get a date, too.
   */
  readonly refreshMs?: number | null;
  readonly nowMs?: () => number;
  /** 0 to 1. */
  readonly random?: () => number;
}

/** Changed assets per read. */
const NOTE_PAGE = 1000;
const ERROR_CHARS_MAX = 200;
/** Changed assets are noted this often, also while documents are fetched. */
const POLL_MS_MAX = 5_000;
/** Milliseconds between two checks whether outcomes that wait to be written leave room again. */
const FULL_MS = 20;
/** No longer URI is fetched, so it needs no row. */
const uriCharsMax = offchainLimits.dataUriCharsMax;

export class OffchainWorker {
  readonly #options: Required<OffchainWorkerOptions>;
  readonly #scheduler: DocumentScheduler;
  readonly #writes: RowWrites;
  readonly #counter = new FetchCounter();
  readonly #sweeping = new RegularSweep(async (signal) => {
    await this.dateRefreshes(signal);
    await this.prune(signal);
  });

  constructor(options: OffchainWorkerOptions) {
    this.#options = {
      requestsAtOnce: offchainLimits.requestsAtOnce,
      refreshMs: null,
      orphansMs: null,
      nowMs: Date.now,
      random: Math.random,
      ...options,
    };
    const { requestsAtOnce } = this.#options;
    this.#scheduler = new DocumentScheduler({
      ...this.#options,
      limits: { ...offchainLimits, requestsAtOnce },
    });
    this.#writes = new RowWrites(options.store, (rows, isWritten) => {
      for (const { uri } of rows) this.#scheduler.release(uri);
      if (isWritten) return;
      this.#counter.forgetStates();
      this.#scheduler.forget();
    });
  }

  get counts(): FetchCounts {
    return this.#counter.counts;
  }

  /** Counts the URIs in each state, for `counts`. */
  countStates(): Promise<void> {
    return this.#counter.countStates(this.#options.store);
  }

  /** Removes the rows of old URIs that no asset names any more, and answers how many. */
  async prune(signal: AbortSignal): Promise<number> {
    const { nowMs, orphansMs, store } = this.#options;
    if (orphansMs === null) return 0;
    const removed = await pruneDocuments(store, nowMs() - orphansMs, signal);
    if (removed === 0) return 0;
    this.#scheduler.forget();
    this.#counter.notePruned(removed);
    await this.countStates();
    return removed;
  }

  /** Gives a date to each document that can change, where documents are requested again by age. */
  async dateRefreshes(signal: AbortSignal): Promise<void> {
    const { refreshMs, store } = this.#options;
    if (refreshMs === null) return;
    await dateRefreshes(store, refreshMs, signal);
    this.#scheduler.forget();
  }

  /** Notes and fetches until the signal aborts; then it resolves. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        await this.noteChangedAssets();
        this.#sweeping.startWhenDue();
        await this.#fetchDue(signal, true);
        await this.#sleep(signal);
      }
    } finally {
      await this.#sweeping.stop();
    }
    this.#sweeping.assertDone();
  }

  /** Adds rows for the URIs of assets changed since the last call. Old documents become due again. */
  async noteChangedAssets(): Promise<void> {
    const { index, store } = this.#options;
    let notedSeq = await store.readNotedSeq();
    for (;;) {
      const assets = await index.readAssetsChangedSince(notedSeq, NOTE_PAGE);
      const last = assets.at(-1);
      if (last === undefined) return;
      const uris = new Set(assets.filter(({ burnt }) => !burnt).map(({ jsonUri }) => jsonUri));
      await this.#note([...uris].filter((uri) => uri !== "" && uri.length <= uriCharsMax));
      notedSeq = last.changeSeq;
      await store.writeNotedSeq(notedSeq);
    }
  }

  /** Makes URIs due now, in any state. */
  async request(uris: readonly string[]): Promise<void> {
    const { nowMs, store } = this.#options;
    const distinct = [...new Set(uris)];
    const rows = await store.readRows(distinct);
    const now = nowMs();
    this.#counter.noteNew(rows.filter((row) => row === null).length);
    await store.writeRows(
      distinct.map((uri, at) => ({ ...(rows[at] ?? newRow(uri, now)), dueMs: now, attempts: 0 })),
    );
    this.#scheduler.forget();
  }

  /**
   * Fetches everything that is due, and what becomes due in the meantime. A failed URI waits for its next date. A
   * slow host only delays its own queue.
   *
   * @throws what the store throws, once every running attempt has ended
   */
  fetchDue(signal: AbortSignal): Promise<FetchReport> {
    return this.#fetchDue(signal, false);
  }

  /** @param notes - whether to note changed assets in the meantime: a flood may take days, and other assets change */
  async #fetchDue(signal: AbortSignal, notes: boolean): Promise<FetchReport> {
    const before = this.counts;
    const attempts = new Attempts((row) => this.#fetchRow(row, signal));
    let notedMs = performance.now();
    for (;;) {
      // Documents that need no network would otherwise block everything else.
      await setImmediate();
      let wasIdle = false;
      let wakeMs = Infinity;
      try {
        if (!signal.aborted && attempts.error === null) {
          this.#writes.assertWritten();
          if (notes && performance.now() - notedMs >= POLL_MS_MAX) {
            await this.noteChangedAssets();
            this.#sweeping.startWhenDue();
            notedMs = performance.now();
          }
          const started = await this.#startMany(attempts, signal);
          if (started === "all") continue;
          wasIdle = started === "idle";
          wakeMs = this.#writes.isFull ? FULL_MS : this.#scheduler.wakeMs;
        }
      } catch (error) {
        attempts.error ??= error;
      }
      const isOver = signal.aborted || attempts.error !== null;
      if (attempts.running === 0 && (isOver || (wasIdle && wakeMs === Infinity))) break;
      await attempts.ended(Math.min(wakeMs, POLL_MS_MAX));
    }
    await this.#writes.drain();
    if (attempts.error !== null) throw attempts.error;
    const { fetched, changed, failed } = this.counts;
    return {
      fetched: fetched - before.fetched,
      changed: changed - before.changed,
      failed: failed - before.failed,
    };
  }

  /** Starts as many as allowed: all of them; some; or none while nothing ran. */
  async #startMany(attempts: Attempts, signal: AbortSignal): Promise<"all" | "some" | "idle"> {
    for (let started = 0; started < this.#options.requestsAtOnce; started += 1) {
      if (this.#writes.isFull) return "some";
      const wasIdle = attempts.running === 0;
      const row = attempts.error === null ? await this.#scheduler.next(wasIdle, signal) : null;
      if (row === null) return wasIdle ? "idle" : "some";
      attempts.start(row);
    }
    return "all";
  }

  async #note(uris: readonly string[]): Promise<void> {
    const { nowMs, store } = this.#options;
    const now = nowMs();
    const known = await store.readRows(uris);
    const rows = uris.flatMap((uri, at) => {
      const row = known[at] ?? null;
      if (row === null) return [newRow(uri, now)];
      return isOld(row, now) ? [{ ...row, dueMs: now, attempts: 0 }] : [];
    });
    if (rows.length === 0) return;
    this.#counter.noteNew(known.filter((row) => row === null).length);
    await store.writeRows(rows);
    this.#scheduler.forget();
  }

  /** The place of the row is free afterwards; its outcome is written with others. */
  async #fetchRow(row: OffchainRow, signal: AbortSignal): Promise<void> {
    const { nowMs, random, refreshMs } = this.#options;
    const outcome = await this.#attempt(row, signal);
    this.#scheduler.end(row.uri, outcome?.kind === "failure" ? outcome.status : null);
    // The attempt was aborted, so the row stays due.
    if (outcome === null) return this.#scheduler.release(row.uri);
    const next = settle(row, outcome, { nowMs: nowMs(), random: random(), refreshMs });
    this.#counter.noteAttempt(row, outcome, next);
    this.#writes.add(next);
  }

  /** Null when the signal aborted. An unexpected error fails this URI only. */
  async #attempt(row: OffchainRow, signal: AbortSignal): Promise<FetchOutcome | null> {
    try {
      return await this.#options.fetcher.fetch(row.uri, row.json === null ? noValidators : row, signal);
    } catch (error) {
      if (signal.aborted) return null;
      return failure("failed", `unexpected: ${String(error)}`.slice(0, ERROR_CHARS_MAX));
    }
  }

  async #sleep(signal: AbortSignal): Promise<void> {
    const { nowMs, store } = this.#options;
    if (signal.aborted) return;
    const dueMs = await store.findNextDue();
    const waitMs = dueMs === null ? POLL_MS_MAX : Math.min(Math.max(dueMs - nowMs(), 0), POLL_MS_MAX);
    // Rejects when the signal aborts, which ends the loop.
    await setTimeout(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

const noValidators = { etag: null, lastModified: null };
