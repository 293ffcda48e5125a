import type { Asset, NativeBalance, SearchAssetsParams, SearchAssetsResult } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { withBudget } from "../budget/call-budget.ts";
import { JsonBytes } from "../json/json-bytes.ts";
import type { JsonText } from "../json/json-text.ts";
import { listJson, objectWriter, plainText } from "../json/object-writer.ts";
import { parseAssetAddress } from "../params/addresses.ts";
import { parseSearchQuery } from "../params/search-query.ts";
import type { ReadView } from "../ports/read-view.ts";
import { isPlain } from "../shaping/display-options.ts";
import { assertListable, assertMinContextSlot } from "./account-context.ts";
import { noteTreesOfSearch } from "./incomplete-trees.ts";
import { assertAbsenceIsKnown } from "./known-absence.ts";
import type { RequestViews } from "./call-context.ts";
import type { Method } from "./method.ts";
import { PageShares } from "./page-shares.ts";
import { joinPlainItems } from "./plain-items.ts";
import { isSearchCovered } from "./search-coverage.ts";
import { shapeShownItems } from "./shown-items.ts";
import { TokenBalances } from "./token-balances.ts";

const beyondCoverage =
  "assets beyond the loaded programs, owners, mints and collections; narrow the search to them";

const writeResult = objectWriter<SearchAssetsResult>()(
  "total",
  "limit",
  "page",
  "cursor",
  "grand_total",
  "nativeBalance",
  "items",
);

/** Assets that meet the criteria: the exact total, one page of documents, in the chosen order. */
export const searchAssets: Method<SearchAssetsParams, SearchAssetsResult> = async (params, context) => {
  const query = parseSearchQuery(params);
  const view = await context.views.view(context.settings.assetCommitment);
  assertMinContextSlot(view, params.minContextSlot);
  assertMinContextSlot(view, params.options?.minContextSlot);
  if (!isSearchCovered(query, view.coverage)) assertListable(context.views, view.coverage, beyondCoverage);
  noteTreesOfSearch(context.views, view, query);
  const page = await view.search.searchAssets(query, context.signal);
  const options = params.options ?? {};
  return withBudget(context, async (budget) => {
    const shares = new PageShares(view, budget);
    const write = async (items: JsonText<Asset[]>): Promise<JsonText<SearchAssetsResult>> =>
      writeResult(
        page.total,
        query.limit,
        query.start.kind === "page" ? query.start.page : undefined,
        page.cursor === null ? undefined : plainText(page.cursor),
        options.showGrandTotal ? page.total : undefined,
        options.showNativeBalance ? await shapeNativeBalance(params, view) : undefined,
        items,
      );
    if (!isPlain(options)) {
      const balances = shownBalances(params, shares, context.views);
      return write(listJson(await shapeShownItems(page.ordinals, options, shares, balances)));
    }
    const items = new JsonBytes<Asset[]>(await joinPlainItems(page.ordinals, shares));
    const empty = await write(listJson([]));
    return items.within(empty.slice(0, -listEnd.length), listEnd);
  });
};

/** Items are the last member of the result. */
const listEnd = "]}";

/** Null where the search names no wallet, or does not show fungibles. */
const shownBalances = (
  { ownerAddress, options }: SearchAssetsParams,
  shares: PageShares,
  views: RequestViews,
): TokenBalances | null =>
  ownerAddress === undefined || options?.showFungible !== true
    ? null
    : new TokenBalances(parseAssetAddress("ownerAddress", ownerAddress), shares, views);

const writeNativeBalance = objectWriter<NativeBalance>()("lamports");

/** Lamports of the owner that the search names. */
const shapeNativeBalance = async (
  params: SearchAssetsParams,
  view: ReadView,
): Promise<JsonText<NativeBalance>> => {
  if (params.ownerAddress === undefined)
    throw new LamplightError("PARAM__INVALID", {
      parameter: "options.showNativeBalance",
      position: null,
      reason: "needs ownerAddress",
    });
  const owner = parseAssetAddress("ownerAddress", params.ownerAddress);
  const wallet = await view.accounts.findAccount(owner);
  if (wallet === null) await assertAbsenceIsKnown(view, owner, `account ${params.ownerAddress}`);
  return writeNativeBalance(wallet?.lamports ?? 0n);
};
