import type { SearchAssetsParams, SearchAssetsResult } from "@lamplight/contract";
import { type Call, type FinishedJson, type Method, methodTable, type Steps } from "@lamplight/core";

/** The limit of a call that names none. Other DAS servers have the same. */
export const LIMIT_DEFAULT = 1000;

const { searchAssets } = methodTable;

/** What every list of assets has in common. */
export const assetList = {
  readsAt: "assets",
  isList: true,
  cheaper: searchAssets.cheaper!,
} as const satisfies Partial<Method<never, SearchAssetsResult>>;

/**
 * A page of assets.
 *
 * @param params - criteria, paging and options of `searchAssets` in the main contract; fungible tokens are not hidden
 */
export function* listAssets(params: SearchAssetsParams, call: Call): Steps<FinishedJson<SearchAssetsResult>> {
  return yield* searchAssets.steps({ ...params, limit: params.limit ?? LIMIT_DEFAULT }, call);
}

/** The criterion that hides fungible tokens, which only `showFungible` lists. */
export const hidingFungibles = ({
  options,
}: Pick<SearchAssetsParams, "options">): Pick<SearchAssetsParams, "ownerType"> =>
  options?.showFungible === true ? {} : { ownerType: "single" };
