import type { SearchAssetsParams, SearchAssetsResult } from "@lamplight/contract";
import {
  type Call,
  type FinishedJson,
  listAssets as listInCore,
  type Method,
  methodTable,
  type Steps,
} from "@lamplight/core";
import { HolderName } from "./holder-name.ts";

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
 * A page of assets. In the list of a wallet, each fungible token names the wallet as its owner.
 *
 * @param params - criteria, paging and options of `searchAssets` in the main contract; fungible tokens are not hidden
 */
export function* listAssets(params: SearchAssetsParams, call: Call): Steps<FinishedJson<SearchAssetsResult>> {
  const { ownerAddress } = params;
  const additions =
    ownerAddress !== undefined && listsFungibles(params) && isOneGroup(params)
      ? [new HolderName(ownerAddress)]
      : [];
  const paged = { ...withoutEmptyStarts(params), limit: params.limit ?? LIMIT_DEFAULT };
  return yield* listInCore(paged, call, additions);
}

/** Clients copy `"before": "", "after": ""` from examples of DAS servers, and mean that neither is used. */
const withoutEmptyStarts = ({ before, after, ...params }: SearchAssetsParams): SearchAssetsParams => ({
  ...params,
  ...(before === undefined || before === "" ? {} : { before }),
  ...(after === undefined || after === "" ? {} : { after }),
});

/** Whether the page may have fungible tokens. A page without them is answered as the store has it, which is cheaper. */
const listsFungibles = ({ ownerType, tokenType = "all" }: SearchAssetsParams): boolean =>
  ownerType !== "single" && /^(?:fungible|all)$/iu.test(tokenType);

/** Whether a further criterion narrows the search. It would widen one of `any`, and be inverted by `negate`. */
export const isOneGroup = ({
  conditionType,
  negate,
}: Pick<SearchAssetsParams, "conditionType" | "negate">): boolean =>
  conditionType !== "any" && negate !== true;

/** The criterion that hides fungible tokens, which only `showFungible` lists. */
export const hidingFungibles = ({
  options,
}: Pick<SearchAssetsParams, "options">): Pick<SearchAssetsParams, "ownerType"> =>
  options?.showFungible === true ? {} : { ownerType: "single" };
