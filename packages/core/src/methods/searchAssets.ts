import type { Asset, NativeBalance, SearchAssetsParams, SearchAssetsResult } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import type { AssetPage, AssetQuery } from "../domain/search.ts";
import { type FinishedJson, JsonBytes } from "../json/json-bytes.ts";
import type { JsonText } from "../json/json-text.ts";
import { listJson, objectWriter, plainText } from "../json/object-writer.ts";
import { parseAssetAddress } from "../params/parse-params.ts";
import { parseSearchQuery } from "../params/search-query.ts";
import { isPlain } from "../shaping/shape-asset.ts";
import { assertListable } from "./account-context.ts";
import { noteTreesOfSearch } from "./incomplete-trees.ts";
import { assertAbsenceIsKnown } from "./known-absence.ts";
import type { Call, Method } from "./method.ts";
import { PageShares } from "./page-shares.ts";
import { joinPlainItems } from "./plain-items.ts";
import { isSearchCovered } from "./search-coverage.ts";
import { type ItemAddition, shapeShownItems } from "./shown-items.ts";
import { open, read, type Steps } from "./steps.ts";
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
export const searchAssets: Method<SearchAssetsParams, SearchAssetsResult> = {
  readsAt: "assets",
  isList: true,
  // A limit at which the same page is likely to be answered.
  cheaper: (items) =>
    items <= 1 ? "getAsset, one asset at a time" : `a smaller limit, such as ${Math.floor(items * 0.8)}`,
  steps: (params, call) => listAssets(params, call),
};

/**
 * The answer of a search.
 *
 * @param additions - what another contract adds to each item
 */
export function* listAssets(
  params: SearchAssetsParams,
  call: Call,
  additions: readonly ItemAddition[] = [],
): Steps<FinishedJson<SearchAssetsResult>> {
  const query = parseSearchQuery(params);
  const page = yield* readSearch(query, call);
  const options = params.options ?? {};
  const items =
    isPlain(options) && additions.length === 0
      ? new JsonBytes<Asset[]>(yield* joinPlainItems(page.ordinals, new PageShares(call.settings)))
      : listJson(
          yield* shapeShownItems(
            page.ordinals,
            options,
            [...shownBalances(params, call), ...additions],
            new PageShares(call.settings),
          ),
        );
  const nativeBalance = options.showNativeBalance ? yield* shapeNativeBalance(params, call) : undefined;
  const write = (list: JsonText<Asset[]>): JsonText<SearchAssetsResult> =>
    writeResult(
      page.total,
      query.limit,
      query.start.kind === "page" ? query.start.page : undefined,
      page.cursor === null ? undefined : plainText(page.cursor),
      options.showGrandTotal ? page.total : undefined,
      nativeBalance,
      list,
    );
  if (!(items instanceof JsonBytes)) return write(items);
  return items.within(write(listJson([])).slice(0, -listEnd.length), listEnd);
}

/**
 * The page of a search, in a store that holds every asset that can match.
 *
 * @throws LamplightError `STORE__NOT_COVERED`
 */
export function* readSearch(query: AssetQuery, call: Call): Steps<AssetPage> {
  yield open;
  if (!isSearchCovered(query, call.coverage)) assertListable(call, beyondCoverage);
  noteTreesOfSearch(call, query);
  return yield* read.search(query);
}

/** Items are the last member of the result. */
const listEnd = "]}";

/** None where the search names no wallet, or does not show fungibles. */
const shownBalances = ({ ownerAddress, options }: SearchAssetsParams, call: Call): readonly TokenBalances[] =>
  ownerAddress === undefined || options?.showFungible !== true
    ? []
    : [new TokenBalances(parseAssetAddress("ownerAddress", ownerAddress), call)];

const writeNativeBalance = objectWriter<NativeBalance>()("lamports");

/** Lamports of the owner that the search names. */
function* shapeNativeBalance(
  { ownerAddress }: SearchAssetsParams,
  call: Call,
): Steps<JsonText<NativeBalance>> {
  if (ownerAddress === undefined)
    throw new LamplightError("PARAM__INVALID", {
      parameter: "options.showNativeBalance",
      position: null,
      reason: "needs ownerAddress",
    });
  const owner = parseAssetAddress("ownerAddress", ownerAddress);
  const wallet = yield* read.account(owner);
  if (wallet === null) yield* assertAbsenceIsKnown(call, owner, `account ${ownerAddress}`);
  return writeNativeBalance(wallet?.lamports ?? 0n);
}
