import type { Asset } from "@lamplight/contract";
import { jsonUriOf } from "../content/content-text.ts";
import type { Ordinal, StoredAsset } from "../domain/asset.ts";
import type { JsonText } from "../json/json-text.ts";
import type { DisplayOptions } from "../shaping/display-options.ts";
import { inheritsFrom } from "../shaping/join-asset.ts";
import { type CollectionMetadataCache, shapeAsset } from "../shaping/shape-asset.ts";
import { ITEM_DOCUMENT_BYTES_MAX } from "../shaping/shorten-content.ts";
import { ITEMS_PER_READ, type PageShares } from "./page-shares.ts";
import type { TokenBalances } from "./token-balances.ts";

/**
 * The items of a page with what display options add.
 *
 * @param balances - of the wallet that the search names; null where none are shown
 */
export const shapeShownItems = async (
  ordinals: readonly Ordinal[],
  options: DisplayOptions,
  shares: PageShares,
  balances: TokenBalances | null,
): Promise<JsonText<Asset>[]> => {
  const { view, budget } = shares;
  const collections: CollectionMetadataCache = new Map();
  const items: JsonText<Asset>[] = [];
  // A store without holdings refuses an empty page too.
  if (ordinals.length === 0) await balances?.addTo([]);
  for (let from = 0; from < ordinals.length; from += ITEMS_PER_READ) {
    const asked = ordinals.slice(from, from + ITEMS_PER_READ);
    const shaped: JsonText<Asset>[] = [];
    for (const [index, { own, joined }] of (await readItems(asked, shares)).entries()) {
      await budget.pause();
      const asset = joined ?? (await shares.joinLarge(own, asked[index]!));
      shaped.push(await shapeAsset(asset, options, view.assets, collections));
    }
    for (const item of (await balances?.addTo(shaped)) ?? shaped) {
      shares.answer(Buffer.byteLength(item));
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

/** Assets with their off-chain documents and collections, read once however many of them name one. */
const readItems = async (ordinals: readonly Ordinal[], shares: PageShares): Promise<PageItem[]> => {
  const { assets } = shares.view;
  const stored = await assets.getAssets(ordinals, ITEM_DOCUMENT_BYTES_MAX);
  const uris = stored.map((asset) => (asset === null ? "" : jsonUriOf(asset.document)));
  const distinct = [...new Set(uris)].filter((uri) => uri !== "");
  const contents = distinct.length === 0 ? [] : await assets.readContents(distinct, ITEM_DOCUMENT_BYTES_MAX);
  const byUri = new Map(distinct.map((uri, index) => [uri, contents[index] ?? null]));
  await shares.readCollections(
    stored.flatMap((asset) => (asset === null ? [] : (inheritsFrom(asset) ?? []))),
  );
  return stored.map((own, index) => {
    if (own === null) return { own, joined: null };
    const content = byUri.get(uris[index]!) ?? null;
    if (content === null) return { own, joined: shares.join(own, null) };
    if (content.parts === null) return { own, joined: null };
    const bytes = Buffer.byteLength(own.document) + Buffer.byteLength(content.parts);
    return { own, joined: bytes > ITEM_DOCUMENT_BYTES_MAX ? null : shares.join(own, content.parts) };
  });
};
