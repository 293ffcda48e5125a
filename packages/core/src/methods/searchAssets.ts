import { decodeAddress } from "@lamplight/codecs";
import type { Asset, NativeBalance, SearchAssetsParams, SearchAssetsResult } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { type CallBudget, withBudget } from "../budget/call-budget.ts";
import { jsonUriOf } from "../content/content-text.ts";
import type { StoredAsset } from "../domain/asset.ts";
import { type JsonText, storedJson } from "../json/json-text.ts";
import { listJson, objectWriter, plainText } from "../json/object-writer.ts";
import { parseAssetAddress } from "../params/addresses.ts";
import { parseSearchQuery } from "../params/search-query.ts";
import type { ReadView } from "../ports/read-view.ts";
import { isPlain } from "../shaping/display-options.ts";
import {
  inheritsFrom,
  type SharedMembers,
  sharedMembers,
  withCollection,
  withContent,
} from "../shaping/join-asset.ts";
import { type CollectionMetadataCache, shapeAsset } from "../shaping/shape-asset.ts";
import { ITEM_DOCUMENT_BYTES_MAX, shortenContent, shortenParts } from "../shaping/shorten-content.ts";
import { assertListable, assertMinContextSlot } from "./account-context.ts";
import { noteTreesOfSearch } from "./incomplete-trees.ts";
import { assertAbsenceIsKnown } from "./known-absence.ts";
import type { Method } from "./method.ts";
import { isSearchCovered } from "./search-coverage.ts";

const beyondCoverage =
  "assets beyond the loaded programs, owners, mints and collections; narrow the search to them";

/** Documents read as one statement: of the largest that are not cut, 16 MiB. */
const ITEMS_PER_READ = 128;

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
  const items = await withBudget(context, (budget) => shapeItems(page.ordinals, params, view, budget));
  return writeResult(
    page.total,
    query.limit,
    query.start.kind === "page" ? query.start.page : undefined,
    page.cursor === null ? undefined : plainText(page.cursor),
    params.options?.showGrandTotal ? page.total : undefined,
    params.options?.showNativeBalance ? await shapeNativeBalance(params, view) : undefined,
    listJson(items),
  );
};

const shapeItems = async (
  ordinals: readonly number[],
  params: SearchAssetsParams,
  view: ReadView,
  budget: CallBudget,
): Promise<JsonText<Asset>[]> => {
  const options = params.options ?? {};
  const isPlainPage = isPlain(options);
  const collections: CollectionMetadataCache = new Map();
  const items: JsonText<Asset>[] = [];
  const cheaper = (): string => smallerLimit(items.length);
  const shares: PageShares = { collections: new Map(), contents: new Map(), view, budget, cheaper };
  const shapeItem = async (item: PageItem, ordinal: number): Promise<JsonText<Asset>> => {
    await budget.pause();
    const joined = item.joined ?? (await joinLarge(item.own, ordinal, shares));
    return shapeAsset(joined, options, view.assets, collections);
  };
  for (let from = 0; from < ordinals.length; from += ITEMS_PER_READ) {
    const pausing = budget.pause();
    if (pausing !== undefined) await pausing;
    const asked = ordinals.slice(from, from + ITEMS_PER_READ);
    for (const [index, one] of (await readItems(asked, shares)).entries()) {
      const item =
        one.joined !== null && isPlainPage
          ? storedJson<Asset>(one.joined.document)
          : await shapeItem(one, asked[index]!);
      budget.answer(item, cheaper);
      items.push(item);
    }
  }
  return items;
};

/** One asset of a page. */
interface PageItem {
  /** Null where its own document is too large for a page. */
  readonly own: StoredAsset | null;
  /** Null where it has to be cut. */
  readonly joined: StoredAsset | null;
}

/** What the assets of one page share with others, read once. */
interface PageShares {
  readonly collections: Map<string, SharedMembers | null>;
  /** What large off-chain documents add to an item, by URI. */
  readonly contents: Map<string, ShortParts>;
  readonly view: ReadView;
  readonly budget: CallBudget;
  readonly cheaper: () => string;
}

/** Assets with their off-chain documents and collections, read once however many of them name one. */
const readItems = async (ordinals: readonly number[], shares: PageShares): Promise<PageItem[]> => {
  const { view } = shares;
  const stored = await view.assets.getAssets(ordinals, ITEM_DOCUMENT_BYTES_MAX);
  const uris = stored.map((asset) => (asset === null ? "" : jsonUriOf(asset.document)));
  const distinct = [...new Set(uris)].filter((uri) => uri !== "");
  const contents =
    distinct.length === 0 ? [] : await view.assets.readContents(distinct, ITEM_DOCUMENT_BYTES_MAX);
  const byUri = new Map(distinct.map((uri, index) => [uri, contents[index] ?? null]));
  await readCollections(stored, shares);
  return stored.map((own, index) => {
    if (own === null) return { own, joined: null };
    const content = byUri.get(uris[index]!) ?? null;
    if (content === null) return { own, joined: joinRead(own, null, shares) };
    if (content.parts === null) return { own, joined: null };
    const bytes = Buffer.byteLength(own.document) + Buffer.byteLength(content.parts);
    return { own, joined: bytes > ITEM_DOCUMENT_BYTES_MAX ? null : joinRead(own, content.parts, shares) };
  });
};

/** @param parts - of its off-chain document */
const joinRead = (own: StoredAsset, parts: string | null, { collections }: PageShares): StoredAsset => {
  const from = inheritsFrom(own);
  const joined = withContent(own, parts);
  return from === null ? joined : withCollection(joined, collections.get(from) ?? null);
};

/** Those that are not read yet. */
const readCollections = async (
  stored: readonly (StoredAsset | null)[],
  { collections, view, budget, cheaper }: PageShares,
): Promise<void> => {
  const from = stored.flatMap((asset) => (asset === null ? [] : (inheritsFrom(asset) ?? [])));
  const unread = [...new Set(from)].filter((id) => !collections.has(id));
  const found = await Promise.all(unread.map(async (id) => view.assets.findAsset(decodeAddress(id))));
  for (const [index, id] of unread.entries()) {
    const collection = found[index] ?? null;
    budget.read(collection?.document.length ?? 0, cheaper);
    collections.set(id, sharedMembers(collection));
  }
};

/** An asset with documents of any size, cut to what an item carries. */
const joinLarge = async (
  own: StoredAsset | null,
  ordinal: number,
  shares: PageShares,
): Promise<StoredAsset> => {
  const asset = own ?? (await readOwn(ordinal, shares));
  const { parts, isCut } = await readShortParts(jsonUriOf(asset.document), shares);
  await readCollections([asset], shares);
  const joined = joinRead(asset, parts, shares);
  return isCut ? joined : { ...joined, document: shortenContent(joined.document) };
};

const readOwn = async (ordinal: number, { view, budget, cheaper }: PageShares): Promise<StoredAsset> => {
  const asset = (await view.assets.getAssets([ordinal]))[0]!;
  budget.read(asset.document.length + (asset.extras?.length ?? 0), cheaper);
  return asset;
};

interface ShortParts {
  /** Null where there is no document. */
  readonly parts: string | null;
  /** Whether something is left out; else an asset's own content may still be too large together with them. */
  readonly isCut: boolean;
}

/** Read and cut once, however many assets of the page name it. */
const readShortParts = async (
  uri: string,
  { contents, view, budget, cheaper }: PageShares,
): Promise<ShortParts> => {
  const known = contents.get(uri);
  if (known !== undefined) return known;
  const [content] = uri === "" ? [null] : await view.assets.readContents([uri]);
  const whole = content?.parts ?? null;
  budget.read(whole?.length ?? 0, cheaper);
  const parts = whole === null ? null : shortenParts(whole);
  const short = { parts, isCut: parts !== whole };
  contents.set(uri, short);
  return short;
};

/** A limit at which the same page is likely to be answered. */
const smallerLimit = (items: number): string =>
  items <= 1 ? "getAsset, one asset at a time" : `a smaller limit, such as ${Math.floor(items * 0.8)}`;

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
