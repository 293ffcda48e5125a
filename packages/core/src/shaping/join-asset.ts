import { joinContent, jsonUriOf } from "../content/content-text.ts";
import type { MaybePromise } from "../domain/address.ts";
import type { StoredAsset } from "../domain/asset.ts";
import type { AssetReader } from "../ports/asset-reader.ts";
import { whenReady } from "../ports/when-ready.ts";

/** The finished document of an asset: its own, with what it takes from the records that it shares with others. */
export const joinAsset = (asset: StoredAsset, assets: AssetReader): MaybePromise<StoredAsset> => {
  const uri = jsonUriOf(asset.document);
  if (uri === "") return asset;
  return whenReady(assets.readContents([uri]), ([content]) => withContent(asset, content?.parts ?? null));
};

/** @param parts - what the off-chain document adds; null where there is none */
export const withContent = (asset: StoredAsset, parts: string | null): StoredAsset =>
  parts === null ? asset : { ...asset, document: joinContent(asset.document, parts) };
