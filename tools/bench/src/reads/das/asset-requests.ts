import { encodeAddress } from "@lamplight/codecs";
import type { Asset } from "@lamplight/core";
import { openSqliteExport } from "@lamplight/store-sqlite";

const pageValue = { page: 1, limit: 50 };

/** Calls by what they measure, about living assets that are spread evenly over the store. */
export const assetRequests = async (
  storeFile: string,
  wanted: number,
): Promise<Readonly<Record<string, readonly object[]>>> => {
  const ids: string[] = [];
  const memberIds: string[] = [];
  const owners = new Set<string>();
  const collections = new Set<string>();
  for (const asset of await livingAssets(storeFile, wanted)) {
    (asset.inherits === null ? ids : memberIds).push(encodeAddress(asset.id));
    if (asset.ownerModel === "single" && asset.assetOwner !== null)
      owners.add(encodeAddress(asset.assetOwner));
    for (const { value, verified } of asset.groups) if (verified) collections.add(value);
  }
  return {
    getAsset: ids.map(assetCall),
    "getAsset, a Core asset in a collection": memberIds.map(assetCall),
    "searchAssets, wallet (getAssetsByOwner)": [...owners].map(holdings),
    "searchAssets, collection (getAssetsByGroup)": [...collections].map(members),
    "searchAssets, wallet, both": [...owners].map(walletSearch),
  };
};

const assetCall = (id: string): object => ({ method: "getAsset", params: { id } });

/** Theirs are NFTs with a supply, without a flag for it: what wallets hold of fungible tokens is never among them. */
const holdings = (ownerAddress: string): object => ({
  ours: search({ ownerAddress, ownerType: "single" }),
  theirs: { method: "getAssetsByOwner", params: { ownerAddress, ...pageValue } },
});
const members = (groupValue: string): object => ({
  ours: search({ grouping: ["collection", groupValue], burnt: false }),
  theirs: { method: "getAssetsByGroup", params: { groupKey: "collection", groupValue, ...pageValue } },
});
const walletSearch = (ownerAddress: string): object => ({
  ours: search({ ownerAddress, ownerType: "single", burnt: false }),
  theirs: search({ ownerAddress, burnt: false }),
});

const search = (criteria: object): object => ({
  method: "searchAssets",
  params: { ...criteria, ...pageValue },
});

/** About so many assets, spread evenly over the store, without burnt ones and such without supply. */
export const livingAssets = async (storeFile: string, wanted: number): Promise<readonly Asset[]> => {
  const store = openSqliteExport(storeFile);
  const step = Math.max(1, Math.floor(store.head.nextOrdinal / wanted));
  const living: Asset[] = [];
  try {
    for await (const page of store.pages("assets"))
      for (const asset of page) if (asset.ordinal % step === 0 && isAnswered(asset)) living.push(asset);
    return living;
  } finally {
    await store.close();
  }
};

/** das_api answers an error for an asset without supply. */
const isAnswered = ({ burnt, supply }: Asset): boolean => !burnt && supply !== 0n;
