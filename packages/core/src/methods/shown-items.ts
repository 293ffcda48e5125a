import type { Asset } from "@lamplight/contract";
import { jsonUriOf } from "../content/content-text.ts";
import type { Ordinal, StoredAsset } from "../domain/asset.ts";
import type { JsonText } from "../json/json-text.ts";
import { inheritsFrom } from "../content/text-facts.ts";
import type { DisplayOptions } from "../shaping/shape-asset.ts";
import { ITEM_DOCUMENT_BYTES_MAX } from "../shaping/shorten-content.ts";
import { ITEMS_PER_READ, type PageShares } from "./page-shares.ts";
import { ShownAssets } from "./shown-assets.ts";
import { pause, read, slice, type Steps } from "./steps.ts";

/** A list adds it to its items, beyond display options. */
export interface ItemAddition {
  addTo(items: readonly JsonText<Asset>[]): Steps<readonly JsonText<Asset>[]>;
}

/** The items of a page with what display options and others add. */
export function* shapeShownItems(
  ordinals: readonly Ordinal[],
  options: DisplayOptions,
  additions: readonly ItemAddition[],
  shares: PageShares,
): Steps<JsonText<Asset>[]> {
  const shown = new ShownAssets(options);
  const items: JsonText<Asset>[] = [];
  // A store without holdings refuses an empty page too.
  if (ordinals.length === 0) for (const addition of additions) yield* addition.addTo([]);
  for (let from = 0; from < ordinals.length; from += ITEMS_PER_READ) {
    const asked = ordinals.slice(from, from + ITEMS_PER_READ);
    const assets: StoredAsset[] = [];
    for (const [index, { own, joined }] of (yield* readItems(asked, shares)).entries()) {
      yield pause;
      assets.push(joined ?? (yield* shares.joinLarge(own, asked[index]!)));
    }
    let shaped: readonly JsonText<Asset>[] = yield* shown.shape(assets);
    for (const addition of additions) shaped = yield* addition.addTo(shaped);
    yield slice(shaped.map((item) => Buffer.byteLength(item)));
    items.push(...shaped);
  }
  return items;
}

/** One asset of a page. */
interface PageItem {
  /** Null where its own document is too large for a page. */
  readonly own: StoredAsset | null;
  /** Null where it has to be cut. */
  readonly joined: StoredAsset | null;
}

/** Assets with their off-chain documents and collections, read once however many of them name one. */
function* readItems(ordinals: readonly Ordinal[], shares: PageShares): Steps<PageItem[]> {
  const stored = yield* read.ownAssets(ordinals, ITEM_DOCUMENT_BYTES_MAX);
  const uris = stored.map((asset) => (asset === null ? "" : jsonUriOf(asset.document)));
  const distinct = [...new Set(uris)].filter((uri) => uri !== "");
  const contents = distinct.length === 0 ? [] : yield* read.contents(distinct, ITEM_DOCUMENT_BYTES_MAX);
  const byUri = new Map(distinct.map((uri, index) => [uri, contents[index] ?? null]));
  yield* shares.readCollections(
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
}
