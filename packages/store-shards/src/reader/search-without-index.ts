import type { AssetPage, AssetQuery, ReadView } from "@lamplight/core";
import { brokenInvariant, LamplightError } from "@lamplight/errors";
import { fillIndex, SearchIndex, searchIndexed } from "@lamplight/search";
import { SEARCH_CHANGES_MAX } from "../limits.ts";

const LOADING_RETRY_SECONDS = 5;

const inPlace = (): never => {
  throw brokenInvariant("an index that was filled for a view is not of its state");
};

const known = new WeakMap<ReadView, Promise<SearchIndex>>();

/** Searches of one view share it. A view whose last look fails has no later answers, so nothing of it is used then. */
const indexOf = (view: ReadView): Promise<SearchIndex> => {
  const filled = known.get(view);
  if (filled !== undefined) return filled;
  const filling = fill(view);
  known.set(view, filling);
  filling.catch(() => known.delete(view));
  return filling;
};

const fill = async (view: ReadView): Promise<SearchIndex> => {
  const index = new SearchIndex();
  await fillIndex(index, view);
  return index;
};

/**
 * Fills an index for the searches of one view, while that of the process is not there yet. No SQL counts over several shards: facts
 * that a criterion joins may be rows of two shards.
 *
 * @throws LamplightError `STORE__LOADING` in a large store
 */
export const searchWithoutIndex = async (view: ReadView, query: AssetQuery): Promise<AssetPage> => {
  if (view.terms.changeSeq > SEARCH_CHANGES_MAX)
    throw new LamplightError("STORE__LOADING", { retryAfterSeconds: LOADING_RETRY_SECONDS });
  const index = await indexOf(view);
  return searchIndexed(index, { terms: view.terms, inPlace, isCancelled: () => false }, query);
};
