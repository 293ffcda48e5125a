import { setTimeout as sleep } from "node:timers/promises";

import type { Readable } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { type SearchLife, type SearchStatus, startSearchLife } from "@lamplight/search";

import type { Log } from "../log/log.ts";

/** Between two looks at a store that holds nothing yet. */
const RETRY_MS = 1000;
/** Between two lines on how far the first fill is. */
const PROGRESS_EVERY_MS = 5000;

/**
 * The search index of a serving process: filled behind the server's back, so that the store's own search answers
 * until it is ready, and kept in step with whoever writes the store.
 */
export class ServeSearch {
  /** The store's views, from the moment there is an index with searches answered by it. */
  readonly readable: Readable;
  readonly #store: Readable;
  readonly #file: string | null;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #starting: Promise<void> | null = null;
  #life: SearchLife | null = null;

  /** @param file - where the index is saved between runs; null = nowhere */
  constructor(store: Readable, file: string | null, log: Log) {
    this.#store = store;
    this.#file = file;
    this.#log = log;
    this.readable = {
      openView: (commitment, only) => (this.#life?.readable ?? store).openView(commitment, only),
    };
  }

  /** Begins in the background; not before the server listens, so that a start that fails leaves nothing behind. */
  start(): void {
    this.#starting ??= this.#run();
  }

  /** The store has moved: looks now instead of a moment later. What fails is reported, and tried again, by its own looks. */
  catchUp(): void {
    void this.#life?.catchUp();
  }

  /** The store was put back to an earlier state: the index may hold what never was, and is filled anew. */
  refill(): void {
    const old = this.#life;
    this.#life = null;
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
      // Closing saves the index, which can always be made anew: no reason to end with an error.
      this.#log.warn({ err: error }, "search index cannot be saved");
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        this.#life = await this.#startLife();
        void this.#sayWhenFilled(this.#life);
        return;
      } catch (error) {
        // A store that is still being loaded for the first time; anything else is worth a line, and another try.
        if (!isLamplightError(error, "STORE__LOADING"))
          this.#log.error({ err: error }, "search index cannot start");
      }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #sayWhenFilled(life: SearchLife): Promise<void> {
    if (await life.filled) this.#log.info({ ...life.status() }, "search index is ready");
  }

  /** Share, rate and time left, now and then. */
  #sayProgress(): (progress: { readonly assets: number; readonly share: number }) => void {
    const startMs = Date.now();
    let loggedMs = startMs;
    return ({ assets, share }) => {
      const nowMs = Date.now();
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
      readable: this.#store,
      file: this.#file,
      onProgress: this.#sayProgress(),
      onError: (error) => this.#log.warn({ err: error }, "search index cannot follow the store"),
      onForeign: () => {
        this.#log.warn({}, "the search index is of another state of the store; filling it from scratch");
        this.refill();
      },
      signal: this.#stopping.signal,
    });
  }
}
