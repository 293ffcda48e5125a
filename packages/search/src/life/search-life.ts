import { setImmediate } from "node:timers/promises";
import { type ViewSource, type ReadView, REMOVALS_KEPT_CHANGES } from "@lamplight/core";
import { CATCH_UP_MAX } from "../indexed-search.ts";
import { dumpIndex, restoreIndex } from "../saved-index.ts";
import { IndexHistory } from "../index-history.ts";
import { SearchIndex } from "../search-index.ts";
import { readTied } from "../take-changes.ts";
import { shareIndex, type SharedIndex } from "../share-index.ts";
import { runThrough } from "../slices.ts";
import { takePage } from "./fill-index.ts";
import { inTurns } from "./in-turns.ts";
import type { SearchLife, SearchLifeOptions, SearchStatus } from "./search-life-types.ts";
import { SearchedView } from "./searched-view.ts";
import { isPartOf, type LoadedIndex, loadIndexFile, savedAtMs, saveIndexFile } from "./search-file.ts";

const POLL_MS = 200;
/**
 * Where the index cannot answer (it is being filled, or far ahead of or behind a view), a store that has seen no more
 * changes than this is searched by its own SQL, some tenths of a second at worst; a larger one asks to come again.
 */
const SQL_CHANGES_MAX = 100_000;
const SAVE_EVERY_MS = 10 * 60_000;

/** Starts the life of a search index: a saved one is taken over and caught up, else it is filled from the store. */
export const startSearchLife = async (options: SearchLifeOptions): Promise<SearchLife> => {
  const { storeId, changeSeq } = await withView(options.viewSource, async ({ terms }) => ({
    storeId: terms.storeId,
    changeSeq: terms.changeSeq,
  }));
  const life = new Life(options, storeId, changeSeq, await loadSaved(options));
  life.start();
  return life;
};

/** A file that cannot be read is as good as none. */
const loadSaved = async ({
  file,
  viewSource,
  shared,
  onError,
}: SearchLifeOptions): Promise<LoadedIndex | null> => {
  if (file === null || shared !== undefined) return null;
  try {
    return await loadIndexFile(file, (saved) => withView(viewSource, (view) => isPartOf(saved, view)));
  } catch (error) {
    onError?.(error);
    return null;
  }
};

class Life implements SearchLife {
  index: SearchIndex;
  readonly viewSource: ViewSource;
  readonly filled: Promise<boolean>;
  readonly #options: SearchLifeOptions;
  readonly #storeId: string;
  readonly #stopping = new AbortController();
  readonly #signal: AbortSignal;
  readonly #markFilled: (isFilled: boolean) => void;
  #savedAtSeq: number;
  #loop: Promise<void> = Promise.resolve();
  #step: Promise<void> = Promise.resolve();
  #tidying: Promise<void> | null = null;
  /** The newest failure, until a step succeeds again. */
  #failure: string | null = null;
  #isForeign = false;
  /** Newest change of the store that a view saw which this index could search. */
  #storeSeq = 0;
  /** Where the store stood when the first page was read; nothing removed before concerns the index. */
  #startSeq: number;
  /** A file that another process saves after this time is as good as our own. */
  #checkedAtMs = Date.now();
  /** Others that start in the meantime, or this one again, wait for the first. */
  #saveDueMs: number;

  constructor(options: SearchLifeOptions, storeId: string, startSeq: number, saved: LoadedIndex | null) {
    this.#options = options;
    this.#storeId = storeId;
    const { signal } = options;
    this.#signal =
      signal === undefined ? this.#stopping.signal : AbortSignal.any([signal, this.#stopping.signal]);
    this.index = saved?.index ?? new SearchIndex();
    this.index.keptBytesMax *= options.termsShare ?? 1;
    const writer = saved?.writer ?? null;
    this.index.history = new IndexHistory(writer === null ? [] : [{ id: writer, through: Infinity }]);
    this.#saveDueMs = saved === null ? 0 : performance.now() + SAVE_EVERY_MS;
    if (saved === null) this.index.startFill();
    this.#storeSeq = startSeq;
    this.#savedAtSeq = this.index.changeSeq;
    this.#startSeq = saved === null ? startSeq : this.index.changeSeq;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.filled = promise;
    this.#markFilled = resolve;
    this.viewSource = {
      openView: (commitment, opening) => {
        const view = options.viewSource.openView(commitment, opening);
        return view instanceof Promise ? view.then((opened) => this.over(opened)) : this.over(view);
      },
    };
  }

  start(): void {
    // A call that catches up in the meantime must not start another fill.
    if (this.#options.shared !== undefined) this.#step = this.#attempt(() => this.#takeShared());
    this.#loop = this.#live();
  }

  /** Uses the index that another thread has filled, if it did. */
  async #takeShared(): Promise<void> {
    const shared = await this.#options.shared;
    if (shared === undefined || shared === null || this.#signal.aborted) return;
    const index = await inTurns(restoreIndex(shared.saved), this.#signal);
    if (index === null) return;
    index.keptBytesMax = this.index.keptBytesMax;
    this.index = index;
    index.history = new IndexHistory(shared.writers);
    this.#startSeq = index.changeSeq;
    // The thread that filled it has saved it.
    this.#savedAtSeq = index.changeSeq;
    this.#saveDueMs = performance.now() + SAVE_EVERY_MS;
  }

  share(): SharedIndex | null {
    const { index } = this;
    if (this.#isAway() || !index.isAt(index.changeSeq)) return null;
    return { saved: shareIndex(runThrough(dumpIndex(index))), writers: index.history.writers };
  }

  catchUp(): Promise<void> {
    // One step at a time: pages are read and applied in order.
    const next = this.#step.then(() => this.#attempt(() => this.#catchUpOnce()));
    this.#step = next.catch(() => undefined);
    return next;
  }

  status(): SearchStatus {
    const { isFilling, changeSeq } = this.index;
    return { isFilling, isRefused: this.#isRefused(), changeSeq, ...this.index.memory() };
  }

  #isRefused(): boolean {
    if (this.#isSmall(this.#storeSeq)) return false;
    return this.#isAway() || this.#storeSeq - this.index.changeSeq > CATCH_UP_MAX;
  }

  #isSmall(changeSeq: number): boolean {
    return changeSeq <= (this.#options.sqlChangesMax ?? SQL_CHANGES_MAX);
  }

  #isAway(): boolean {
    return this.index.isFilling || this.#isForeign;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#step;
    await this.#tidying;
    await this.#save();
  }

  /** Fill, then follow until stopped. */
  async #live(): Promise<void> {
    const signal = this.#signal;
    await this.catchUp();
    while (!signal.aborted) {
      if (!this.index.isFilling && performance.now() >= this.#saveDueMs) {
        this.#saveDueMs = performance.now() + SAVE_EVERY_MS;
        await this.#attempt(() => this.#save());
      }
      await pause(POLL_MS, signal);
      if (signal.aborted) break;
      await this.catchUp();
    }
    this.#markFilled(false);
  }

  async #attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
      this.#failure = null;
    } catch (error) {
      const failure = String(error);
      const isReported = this.#failure === failure || this.#signal.aborted;
      this.#failure = failure;
      if (!isReported) this.#options.onError?.(error);
    }
  }

  async #catchUpOnce(): Promise<void> {
    const { index } = this;
    for (;;) {
      if (this.#isForeign) return;
      const isThere = await withView(this.#options.viewSource, (view) => this.#takePage(view));
      if (isThere && !index.isFilling) break;
      if (this.#signal.aborted) return;
      // Much was committed while the index was sorted, so these changes are applied now.
      if (isThere) await this.#endFill();
      else if (index.isUntidy) await inTurns(index.tidy(), this.#signal);
      await setImmediate();
    }
    this.#markFilled(true);
    this.#tidyInBetween();
  }

  async #endFill(): Promise<void> {
    const { index } = this;
    const tied = await inTurns(index.sortFill(), this.#signal);
    await withView(this.#options.viewSource, ({ terms }) => readTied(index, terms, tied));
    await inTurns(index.endFill(), this.#signal);
  }

  /** Tidies while commits and requests go on. */
  #tidyInBetween(): void {
    if (this.#tidying !== null || !this.index.isUntidy) return;
    this.#tidying = this.#attempt(() => inTurns(this.index.tidy(), this.#signal)).finally(() => {
      this.#tidying = null;
    });
  }

  async #takePage(view: ReadView): Promise<boolean> {
    if (!(await this.index.history.admits(view.terms, this.index))) this.#becomeForeign();
    this.#storeSeq = Math.max(this.#storeSeq, view.terms.changeSeq);
    // The store may no longer report what was removed in between.
    const seenSeq = Math.max(this.index.changeSeq, this.#startSeq);
    if (seenSeq < view.terms.changeSeq - REMOVALS_KEPT_CHANGES) this.#becomeForeign();
    if (this.#isForeign) return false;
    const isDone = await takePage(this.index, view);
    if (this.index.isFilling)
      this.#options.onProgress?.({
        assets: this.index.existing.size,
        share: view.terms.changeSeq === 0 ? 1 : this.index.changeSeq / view.terms.changeSeq,
      });
    return isDone;
  }

  async #save(): Promise<void> {
    const { file } = this.#options;
    const { changeSeq } = this.index;
    if (file === null || this.#isForeign || this.index.isFilling || !this.index.isAt(changeSeq)) return;
    if (changeSeq === this.#savedAtSeq || (await this.#isSavedByOthers(file))) return;
    const of = () => ({ storeId: this.#storeId, writer: this.index.history.latest });
    if (!(await saveIndexFile(file, of, this.index))) return;
    this.#checkedAtMs = Date.now();
    this.#savedAtSeq = changeSeq;
  }

  async #isSavedByOthers(file: string): Promise<boolean> {
    const atMs = await savedAtMs(file);
    // A time in the future is that of a clock that was wrong.
    const nowMs = Date.now();
    return atMs !== null && atMs <= nowMs && atMs > Math.max(this.#checkedAtMs, nowMs - SAVE_EVERY_MS / 2);
  }

  over(view: ReadView): ReadView {
    const { changeSeq } = view.terms;
    this.#storeSeq = Math.max(this.#storeSeq, changeSeq);
    const isSmall = this.#isSmall(changeSeq);
    if (this.#isAway() && isSmall) return view;
    return new SearchedView(view, () => this.#indexFor(view), isSmall);
  }

  async #indexFor(view: ReadView): Promise<SearchIndex | null> {
    // Only the views of a fill give an index its first opening.
    if (this.#isAway()) return null;
    const { index } = this;
    // Either the view or the index is of a state before a restore. The next look finds out which.
    if (!(await index.history.admits(view.terms, index))) return null;
    return this.#isAway() ? null : index;
  }

  #becomeForeign(): void {
    if (this.#isForeign) return;
    this.#isForeign = true;
    this.#options.onForeign?.();
  }
}

const withView = async <Result>(
  viewSource: ViewSource,
  read: (view: ReadView) => Promise<Result>,
): Promise<Result> => {
  const view = await viewSource.openView("finalized");
  try {
    return await read(view);
  } finally {
    view.close();
  }
};

/** Waits, or less when stopped. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return void resolve();
    const timer = setTimeout(finish, ms);
    timer.unref();
    function finish(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    }
    signal.addEventListener("abort", finish);
  });
