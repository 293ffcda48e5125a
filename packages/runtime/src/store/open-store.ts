import { existsSync } from "node:fs";

import type { IndexStore, ViewSource, UnfinalizedReader } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { searchFileOf } from "@lamplight/search";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";

import { defaultSearchCache, searchFileIn } from "./search-cache.ts";
import { isPostgresUrl, parseStoreUrl } from "./store-url.ts";

/** Views that callers may use at once, unless `options.views` sets another number. */
const READ_VIEWS = 16;
/**
 * Views in addition to those of callers, so that the search index, the overlay and probes do not wait for callers.
 */
const SPARE_VIEWS = 3;

/** Views that callers may use at once. */
export interface CallerViews {
  readonly most: number;
  /** Threads that share them. Each keeps its part of them open, and opens more while callers use them. */
  readonly workers: number;
}

/** A store opened for reading, from `sqlite:FILE` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`. */
export interface OpenedReader extends ViewSource {
  /** Where its search index is kept between runs. */
  readonly searchFile: string;
  /** Slots that a writer in another process publishes above the finalized one; null = this kind of store has none. */
  readonly unfinalized: UnfinalizedReader | null;
  /** Whether it is a file in a folder that cannot be written, so that no other process can change it. */
  readonly isStill: boolean;
  close(): void;
}

/**
 * @param options.searchCache - folder for the search index of a store that is no file
 * @param options.views - that callers may use at once (`limits.readViews`); default 16
 * @param options.patient - for checks: lets a statement take as long as it needs
 * @throws LamplightError `STORE__URL` and of the STORE family
 */
export const openStoreForReading = async (
  url: string,
  options: {
    readonly patient?: boolean;
    readonly searchCache?: string | undefined;
    readonly views?: CallerViews;
  } = {},
): Promise<OpenedReader> => {
  const { most, workers } = options.views ?? { most: READ_VIEWS, workers: 1 };
  const viewsMax = most + SPARE_VIEWS;
  if (isPostgresUrl(url)) {
    // Loaded here, because every other start would pay for the driver too.
    const { openPostgresReader } = await import("@lamplight/store-postgres");
    const reader = await openPostgresReader({
      url,
      sessionsMax: viewsMax,
      idleMax: Math.ceil(most / workers) + SPARE_VIEWS,
      // A check may read a distributed store while no process writes it.
      ...(options.patient === true ? { statementTimeoutMs: 0, refuseMixedSlots: false } : {}),
    });
    return {
      openView: (commitment, only) => reader.openView(commitment, only),
      searchFile: searchFileIn(options.searchCache ?? defaultSearchCache(process.env), url),
      unfinalized: reader,
      isStill: false,
      close: () => reader.close(),
    };
  }
  const { file } = parseStoreUrl(url);
  const reader = openSqliteReader({ file, connectionsMax: viewsMax });
  return {
    openView: (commitment) => reader.openView(commitment),
    searchFile: searchFileOf(file),
    unfinalized: null,
    isStill: reader.isStill,
    close: () => reader.close(),
  };
};

/**
 * Opens a store for its one writer.
 *
 * @param options.create - make it when there is none, instead of refusing with `STORE__MISSING`
 * @param options.follows - whether the writer follows a chain: no commit may wait for upkeep
 * @param options.onProblem - called with a message when upkeep fails
 * @throws LamplightError `STORE__URL` and of the STORE family
 */
export const openStoreForWriting = async (
  url: string,
  {
    create,
    follows = false,
    onProblem,
  }: {
    readonly create: boolean;
    readonly follows?: boolean;
    readonly onProblem?: (line: string) => void;
  },
): Promise<IndexStore> => {
  if (isPostgresUrl(url)) {
    const { openPostgresStore } = await import("@lamplight/store-postgres");
    return openPostgresStore({ url, mode: "write", create, refuseMixedSlots: follows });
  }
  const { file } = parseStoreUrl(url);
  if (!create && !existsSync(file)) throw new LamplightError("STORE__MISSING", { store: file });
  const checkpoints = follows ? "thread" : "commits";
  return openSqliteStore({
    file,
    mode: "write",
    checkpoints,
    ...(onProblem === undefined ? {} : { onProblem }),
  });
};
