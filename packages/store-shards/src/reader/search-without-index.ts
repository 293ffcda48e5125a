import type { AssetPage, AssetQuery, ReadView } from "@lamplight/core";
import { brokenInvariant, LamplightError } from "@lamplight/errors";
import { fillIndex, SearchIndex, searchIndexed } from "@lamplight/search";
import { SEARCH_CHANGES_MAX } from "../limits.ts";

const LOADING_RETRY_SECONDS = 5;

/**
 * Fills an index for one search, while that of the process is not there yet. No SQL counts over several shards: facts
 * that a criterion joins may be rows of two shards.
 *
 * @throws LamplightError `STORE__LOADING` in a large store
 */
export const searchWithoutIndex = async (view: ReadView, query: AssetQuery): Promise<AssetPage> => {
  if (view.terms.changeSeq > SEARCH_CHANGES_MAX)
    throw new LamplightError("STORE__LOADING", { retryAfterSeconds: LOADING_RETRY_SECONDS });
  const index = new SearchIndex();
  await fillIndex(index, view);
  const inPlace = (): never => {
    throw brokenInvariant("an index that was filled for a view is not of its state");
  };
  return searchIndexed(index, { terms: view.terms, inPlace, isCancelled: () => false }, query);
};
