import { encodeAddress } from "@lamplight/codecs";
import type { AddressBytes } from "@lamplight/core";
import type { Minted } from "./minted.ts";
import type { Journal } from "./journal.ts";

const assetPrefix = "asset:";

/** Finds an asset, a collection or a group of this chain; undefined = there is none. */
export const findAsset = (journal: Journal, id: AddressBytes): Minted | undefined =>
  journal.find<Minted>(assetPrefix + encodeAddress(id));

export const putAsset = <One extends Minted>(journal: Journal, asset: One): One => {
  journal.set(assetPrefix + encodeAddress(asset.id), asset);
  return asset;
};

/** Ids of all of them as base58 text, in the order in which they came. */
export const assetIds = (journal: Journal): readonly string[] =>
  journal.keys(assetPrefix).map((key) => key.slice(assetPrefix.length));
