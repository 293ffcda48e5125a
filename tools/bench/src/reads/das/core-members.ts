import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import type { Asset as AssetResult } from "@lamplight/contract";
import { type Asset, joinAsset, type StoredAsset } from "@lamplight/core";
import { openSqliteExport } from "@lamplight/store-sqlite";
import { addressOrNull } from "./address-or-null.ts";

/** MPL Core collections by their addresses, base58. */
type Collections = ReadonlyMap<string, StoredAsset>;

export const coreCollections = async (storeFile: string): Promise<Collections> => {
  const store = openSqliteExport(storeFile);
  const found = new Map<string, StoredAsset>();
  try {
    for await (const page of store.pages("assets"))
      for (const asset of page)
        if (asset.interface === "MplCoreCollection") found.set(encodeAddress(asset.id), asset);
    return found;
  } finally {
    await store.close();
  }
};

/** An asset with what it takes from its collection, as rows of their own have it. */
export const withInherited = (asset: Asset & StoredAsset, collections: Collections): Asset => {
  if (asset.inherits === null) return asset;
  const collection = collections.get(encodeAddress(asset.inherits.from)) ?? null;
  const { document } = joinAsset({ own: asset, content: null, collection });
  const { authorities, royalty, creators, ownership, mutable } = JSON.parse(document) as AssetResult;
  return {
    ...asset,
    document,
    authority: addressOrNull(authorities[0]?.address),
    basisPoints: royalty.basis_points,
    creators: creators.map((creator) => ({ ...creator, address: decodeAddress(creator.address) })),
    delegate: addressOrNull(ownership.delegate),
    frozen: ownership.frozen,
    mutable,
  };
};
