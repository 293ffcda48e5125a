import type { SearchAssetsParams } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { parseAssetAddress } from "../params/addresses.ts";
import { parseSearchQuery } from "../params/search-query.ts";
import type { ReadView } from "../ports/read-view.ts";
import { type CollectionMetadataCache, shapeAsset } from "../shaping/shape-asset.ts";
import { isPlain } from "../shaping/display-options.ts";
import { assertAbsenceIsKnown } from "./account-context.ts";
import type { CallContext } from "./call-context.ts";
import type { Method } from "./method.ts";
import { assertSearchCovered } from "./search-coverage.ts";

/** Assets that meet the criteria: the exact total, one page of documents, in the chosen order. */
export const searchAssets: Method<SearchAssetsParams> = async (params, context) => {
  const query = parseSearchQuery(params);
  const view = await context.views.view(context.settings.assetCommitment);
  assertSearchCovered(query, view.coverage);
  const page = await view.search.searchAssets(query, context.signal);
  const items = await shapeItems(page.ordinals, params, view, context);
  const position =
    query.start.kind === "page"
      ? `"page":${query.start.page},`
      : page.cursor === null
        ? ""
        : `"cursor":${JSON.stringify(page.cursor)},`;
  const shown = await shapeShownTotals(params, page.total, view);
  return `{"total":${page.total},"limit":${query.limit},${position}${shown}"items":[${items.join(",")}]}`;
};

const shapeItems = async (
  ordinals: readonly number[],
  params: SearchAssetsParams,
  view: ReadView,
  context: CallContext,
): Promise<string[]> => {
  if (ordinals.length === 0) return [];
  const stored = await view.assets.getAssets(ordinals);
  const options = params.options ?? {};
  if (isPlain(options)) return stored.map((asset) => asset.document);
  const collections: CollectionMetadataCache = new Map();
  const items: string[] = [];
  for (const asset of stored) {
    context.signal?.throwIfAborted();
    items.push(await shapeAsset(asset, options, view.assets, collections));
  }
  return items;
};

/** `grand_total` (always the exact total here) and `nativeBalance`, when asked for. */
const shapeShownTotals = async (
  params: SearchAssetsParams,
  total: number,
  view: ReadView,
): Promise<string> => {
  let text = params.options?.showGrandTotal ? `"grand_total":${total},` : "";
  if (params.options?.showNativeBalance) {
    if (params.ownerAddress === undefined)
      throw new LamplightError("PARAM__INVALID", {
        parameter: "options.showNativeBalance",
        position: null,
        reason: "needs ownerAddress",
      });
    const wallet = await view.accounts.findAccount(parseAssetAddress("ownerAddress", params.ownerAddress));
    if (wallet === null) assertAbsenceIsKnown(view.coverage, `account ${params.ownerAddress}`);
    text += `"nativeBalance":{"lamports":${wallet?.lamports ?? 0n}},`;
  }
  return text;
};
