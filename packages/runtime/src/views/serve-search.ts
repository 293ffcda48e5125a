import { setTimeout as sleep } from "node:timers/promises";

import type { Log, ReadView, ViewSource } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import {
  type SearchLife,
  type SearchLifeOptions,
  type SearchStatus,
  startSearchLife,
} from "@lamplight/search";

/** The pause between two attempts while the store is empty. */
const RETRY_MS = 1000;
/** The pause between two log lines about the progress of the first fill. */
const PROGRESS_EVERY_MS = 5000;

export type SearchShare = Pick<SearchLifeOptions, "shared" | "termsShare">;

/**
 * The search index of a serving process. It is filled in the background. Until then, the store's own search answers for
 * a small store; a large store answers `STORE__LOADING`. Afterwards the index follows every commit to the store.
 */
export class ServeSearch {
  readonly #store: ViewSource;
  /** Resolves when the index is filled for the first time. */
  readonly filled: Promise<SearchLife>;
  readonly #markFilled: (life: SearchLife) => void;
  readonly #file: string | null;
  readonly #log: Log;
  #share: SearchShare;
  readonly #stopping = new AbortController();
  #starting: Promise<void> | null = null;
  #life: SearchLife | null = null;

  /**
   * @param file - where the index is saved between runs; null = nowhere
   * @param share - the memory of an index that another thread fills for several
   */
  constructor(store: ViewSource, file: string | null, log: Log, share: SearchShare = {}) {
    this.#store = store;
    this.#share = share;
    const { promise, resolve } = Promise.withResolvers<SearchLife>();
    this.filled = promise;
    this.#markFilled = resolve;
    this.#file = file;
    this.#log = log;
  }

  /** Wraps a view of the store. The index answers its searches as soon as it exists. */
  over(view: ReadView): ReadView {
    return this.#life?.over(view) ?? view;
  }

  /**
   * Starts in the background. The caller calls it once the server listens, so that a failed start leaves nothing
   * running.
   */
  start(): void {
    this.#starting ??= this.#run();
  }

  /** The caller calls it when the store has changed. Failures are logged and tried again by the index itself. */
  catchUp(): void {
    void this.#life?.catchUp();
  }

  /** Fills the index again from scratch, after the store was restored to an earlier state. */
  refill(): void {
    const old = this.#life;
    this.#life = null;
    // The shared index is of the old state too.
    this.#share = { ...this.#share, shared: Promise.resolve(null) };
    if (old !== null) this.#starting = old.close().then(() => this.#run());
  }

  /** Null until there is an index. */
  status(): SearchStatus | null {
    return this.#life?.status() ?? null;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#starting;
    try {
      await this.#life?.close();
    } catch (error) {
      // Closing saves the index, which can always be filled again.
      this.#log.warn({ err: error }, "search index cannot be saved");
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        this.#life = await this.#startLife();
        void this.#logWhenFilled(this.#life);
        return;
      } catch (error) {
        // The store may still be loading for the first time. Any other error is logged.
        if (!isLamplightError(error, "STORE__LOADING"))
          this.#log.error({ err: error }, "search index cannot start");
      }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #logWhenFilled(life: SearchLife): Promise<void> {
    if (!(await life.filled)) return;
    this.#markFilled(life);
    this.#log.info({ ...life.status() }, "search index is ready");
  }

  /** Logs share, rate and time left, at most once every `PROGRESS_EVERY_MS`. */
  #progressLogger(): (progress: { readonly assets: number; readonly share: number }) => void {
    const startMs = performance.now();
    let loggedMs = startMs;
    return ({ assets, share }) => {
      const nowMs = performance.now();
      if (nowMs - loggedMs < PROGRESS_EVERY_MS || share === 0) return;
      loggedMs = nowMs;
      const seconds = (nowMs - startMs) / 1000;
      this.#log.info(
        {
          assets,
          share: Math.round(share * 1000) / 1000,
          assetsPerSecond: Math.round(assets / seconds),
          secondsLeft: Math.round(seconds / share - seconds),
        },
        "filling the search index",
      );
    };
  }

  #startLife(): Promise<SearchLife> {
    return startSearchLife({
      viewSource: this.#store,
      file: this.#file,
      ...this.#share,
      onProgress: this.#progressLogger(),
      onError: (error) => this.#log.warn({ err: error }, "search index cannot follow the store"),
      onForeign: () => {
        this.#log.warn({}, "the search index is of another state of the store; filling it from scratch");
        this.refill();
      },
      signal: this.#stopping.signal,
    });
  }
}
