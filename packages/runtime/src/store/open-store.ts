import type { IndexStore } from "@lamplight/core";

import { engineOf } from "../engine/engines.ts";
import type { OpenedReader, ReaderOptions, WriterOptions } from "../engine/store-engine.ts";

/** Views that callers may use at once, unless `options.views` sets another number. */
const READ_VIEWS = 16;
/**
 * Views in addition to the places of callers, so that the search index, the overlay, probes, and one batch at several
 * commitments do not wait for callers.
 */
const SPARE_VIEWS = 3;

/** Views that callers may use at once. */
export interface CallerViews {
  readonly most: number;
  /** Threads that share them. Each keeps its part of them open, and opens more while callers use them. */
  readonly workers: number;
}

type ReadingOptions = Omit<ReaderOptions, "viewsMax" | "viewsIdle"> & { readonly views?: CallerViews };

/**
 * @param options.searchCache - folder for the search index of a store that is no file
 * @param options.views - that callers may use at once (`limits.readViews`); default 16
 * @param options.patient - for checks: lets a statement take as long as it needs
 * @throws LamplightError `STORE__URL` and of the STORE family
 */
export const openStoreForReading = async (
  url: string,
  { views = { most: READ_VIEWS, workers: 1 }, ...options }: ReadingOptions = {},
): Promise<OpenedReader> =>
  engineOf(url).openReader(url, {
    ...options,
    viewsMax: views.most + SPARE_VIEWS,
    viewsIdle: Math.ceil(views.most / views.workers) + SPARE_VIEWS,
  });

/**
 * Opens a store for its one writer.
 *
 * @param options.create - make it when there is none, instead of refusing with `STORE__MISSING`
 * @param options.follows - whether the writer follows a chain: no commit may wait for upkeep
 * @param options.onProblem - called with a message when upkeep fails
 * @throws LamplightError `STORE__URL` and of the STORE family
 */
export const openStoreForWriting = async (url: string, options: WriterOptions): Promise<IndexStore> =>
  engineOf(url).openWriter(url, options);
