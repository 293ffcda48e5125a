// The worker that fetches off-chain documents. It notes the URIs of changed assets, fetches what is due, and stores
// the result. It never changes chain state: assets show a document as soon as its row is written.

import { setImmediate, setTimeout } from "node:timers/promises";
import { type IndexReader, offchainRow, type OffchainRow, type OffchainStore } from "@lamplight/core";
import { DocumentScheduler } from "./document-scheduler.ts";
import {
  type DocumentFetcher,
  failure,
  type FetchFailureStatus,
  type FetchOutcome,
} from "./fetch-outcome.ts";
import { offchainLimits } from "./offchain-limits.ts";
import { refetchAgeMsMin, retryDelayMs } from "./retry-delay.ts";

export interface OffchainWorkerOptions {
  readonly store: OffchainStore;
  /** The feed of changed assets. */
  readonly index: Pick<IndexReader, "readAssetsChangedSince">;
  readonly fetcher: DocumentFetcher;
  readonly requestsAtOnce?: number;
  readonly nowMs?: () => number;
  /** 0 to 1. */
  readonly random?: () => number;
}

interface Counters {
  fetched: number;
  /** Documents that are new, or differ from the last version. */
  changed: number;
  failed: number;
}

/** Counts of a round of fetching. */
export type FetchReport = Readonly<Counters>;

/** Counts since the worker was created. */
export interface FetchCounts extends FetchReport {
  /** Attempts at a URI whose last one failed. */
  readonly retried: number;
}

/** Changed assets per read. */
const NOTE_PAGE = 1000;
const ERROR_CHARS_MAX = 200;
/** Changed assets are noted this often, also while documents are fetched. */
const POLL_MS_MAX = 5_000;
/** No longer URI is fetched, so it needs no row. */
const uriCharsMax = offchainLimits.dataUriCharsMax;

export class OffchainWorker {
  readonly #options: Required<OffchainWorkerOptions>;
  readonly #scheduler: DocumentScheduler;
  readonly #counts = { fetched: 0, changed: 0, failed: 0, retried: 0 };

  constructor(options: OffchainWorkerOptions) {
    this.#options = {
      requestsAtOnce: offchainLimits.requestsAtOnce,
      nowMs: Date.now,
      random: Math.random,
      ...options,
    };
    const { requestsAtOnce } = this.#options;
    this.#scheduler = new DocumentScheduler({
      ...this.#options,
      limits: { ...offchainLimits, requestsAtOnce },
    });
  }

  get counts(): FetchCounts {
    return { ...this.#counts };
  }

  /** Notes and fetches until the signal aborts; then it resolves. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.noteChangedAssets();
      await this.#fetchDue(signal, true);
      await this.#sleep(signal);
    }
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
    await store.writeRows(
      distinct.map((uri, at) => ({ ...(rows[at] ?? newRow(uri, now)), dueMs: now, attempts: 0 })),
    );
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
    const report: Counters = { fetched: 0, changed: 0, failed: 0 };
    const errors: unknown[] = [];
    const scheduler = this.#scheduler;
    let running = 0;
    let ended = Promise.withResolvers<void>();
    const start = async (row: OffchainRow): Promise<void> => {
      running += 1;
      let status: FetchFailureStatus | null = null;
      try {
        status = await this.#fetchRow(row, signal, report);
      } catch (error) {
        errors.push(error);
      }
      running -= 1;
      scheduler.end(row.uri, status);
      ended.resolve();
    };
    let wasIdle = false;
    /** Starts as many as allowed; false where no more may start now. */
    const startMany = async (): Promise<boolean> => {
      for (let started = 0; started < this.#options.requestsAtOnce; started += 1) {
        wasIdle = running === 0;
        const row = errors.length > 0 ? null : await scheduler.next(wasIdle, signal);
        if (row === null) return false;
        void start(row);
      }
      return true;
    };
    let notedMs = performance.now();
    for (;;) {
      // Documents that need no network would otherwise block everything else.
      await setImmediate();
      let wakeMs = Infinity;
      try {
        if (!signal.aborted && errors.length === 0) {
          if (notes && performance.now() - notedMs >= POLL_MS_MAX) {
            await this.noteChangedAssets();
            notedMs = performance.now();
          }
          if (await startMany()) continue;
          wakeMs = scheduler.wakeMs;
        }
      } catch (error) {
        errors.push(error);
      }
      const isOver = signal.aborted || errors.length > 0;
      if (running === 0 && (isOver || (wasIdle && wakeMs === Infinity))) break;
      await waitFor(ended.promise, Math.min(wakeMs, POLL_MS_MAX));
      ended = Promise.withResolvers<void>();
    }
    if (errors.length > 0) throw errors[0];
    return report;
  }

  async #note(uris: readonly string[]): Promise<void> {
    const { nowMs, store } = this.#options;
    const now = nowMs();
    const known = await store.readRows(uris);
    const rows = uris.flatMap((uri, at) => {
      const row = known[at] ?? null;
      if (row === null) return [newRow(uri, now)];
      // A reveal keeps the URI and changes its document. A document that was just fetched is not requested again.
      const isOld = row.dueMs === null && !row.immutable && now - (row.fetchedMs ?? now) >= refetchAgeMsMin;
      return isOld ? [{ ...row, dueMs: now, attempts: 0 }] : [];
    });
    if (rows.length > 0) await store.writeRows(rows);
  }

  /** The reason why the attempt failed; null where it did not, or was aborted. */
  async #fetchRow(
    row: OffchainRow,
    signal: AbortSignal,
    report: Counters,
  ): Promise<FetchFailureStatus | null> {
    const { nowMs, random, store } = this.#options;
    const outcome = await this.#attempt(row, signal);
    // The attempt was aborted, so the row stays due.
    if (outcome === null) return null;
    const next = settle(row, outcome, nowMs(), random());
    await store.writeRows([next]);
    if (row.attempts > 0) this.#counts.retried += 1;
    for (const counts of [report, this.#counts]) {
      counts.fetched += 1;
      if (next.status === "failed" || next.status === "gone") counts.failed += 1;
      if (next.json !== row.json) counts.changed += 1;
    }
    return outcome.kind === "failure" ? outcome.status : null;
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

/** Waits for the event or the time, and clears the timer. */
const waitFor = async (event: Promise<void>, ms: number): Promise<void> => {
  const timer = new AbortController();
  await Promise.race([event, setTimeout(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
};

const noValidators = { etag: null, lastModified: null };

const newRow = (uri: string, nowMs: number): OffchainRow =>
  offchainRow(uri, { firstSeenMs: nowMs, dueMs: nowMs });

/** The row after an attempt. A failure never removes a good document. */
const settle = (row: OffchainRow, outcome: FetchOutcome, nowMs: number, random: number): OffchainRow => {
  const done = { fetchedMs: nowMs, dueMs: null, attempts: 0, lastError: null };
  switch (outcome.kind) {
    case "document": {
      const { json, sha256, etag, lastModified, immutable } = outcome;
      return { ...row, ...done, status: "ok", json, sha256, etag, lastModified, immutable };
    }
    case "notModified":
      return { ...row, ...done, status: "ok" };
    case "failure": {
      const { status, reason, retryAfterMs, json } = outcome;
      const attempts = row.attempts + 1;
      const delayMs = json === null ? retryDelayMs(status, attempts, retryAfterMs, random) : null;
      return {
        ...row,
        status,
        json: json ?? row.json,
        fetchedMs: nowMs,
        attempts,
        lastError: reason,
        dueMs: delayMs === null ? null : nowMs + delayMs,
      };
    }
  }
};
