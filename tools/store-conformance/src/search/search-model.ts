import {
  type Asset,
  type AssetQuery,
  type Criterion,
  type Holding,
  inheritable,
  isFactCriterion,
  type SortKey,
} from "@lamplight/core";
import { compareAddresses } from "../chain/addresses.ts";

/** A search runs over these: assets as a store numbered them, and the holders of each token. */
export interface SearchWorld {
  readonly assets: readonly (Asset & { readonly ordinal: number })[];
  readonly holdings: readonly Holding[];
}

type WorldAsset = SearchWorld["assets"][number];

/** Whether an asset meets one criterion, read word by word from the port; a missing value never does. */
export const meets = (asset: WorldAsset, criterion: Criterion, world: SearchWorld): boolean => {
  if (isFactCriterion(criterion)) {
    const { kind, value } = criterion;
    return value instanceof Uint8Array
      ? same(asset[kind] as Uint8Array | null, value)
      : asset[kind] === value;
  }
  switch (criterion.kind) {
    case "owner": {
      const isOwner = asset.ownerModel === "single" && same(asset.assetOwner, criterion.owner);
      const isHolder = world.holdings.some(
        (holding) =>
          asset.ownerModel === "token" &&
          same(holding.tokenOwner, criterion.owner) &&
          same(asset.supplyMint, holding.mint) &&
          (holding.positive || criterion.includeZero),
      );
      if (criterion.ownerModel === null) return isOwner || isHolder;
      return criterion.ownerModel === "single" ? isOwner : isHolder;
    }
    case "creator":
      return asset.creators.some(
        (one) =>
          same(one.address, criterion.creator) &&
          (criterion.verified === null || one.verified === criterion.verified),
      );
    case "creatorVerified":
      return asset.creators.some((one) => one.verified === criterion.verified);
    case "group":
      return asset.groups.some(
        (one) =>
          one.key === criterion.key &&
          one.value === criterion.value &&
          (one.verified || criterion.includeUnverified),
      );
    case "royaltyTarget":
      return asset.creators.some((one) => same(one.address, criterion.target) && one.share > 0);
    case "tokenType": {
      const isFungible = asset.interface === "FungibleToken" || asset.interface === "FungibleAsset";
      const answers = {
        fungible: isFungible,
        nonFungible: !isFungible,
        regularNft: !isFungible && !asset.compressed,
        compressedNft: asset.compressed,
        all: true,
      };
      return answers[criterion.tokenType];
    }
    case "name":
      return asset.name.toLowerCase().includes(criterion.name.toLowerCase());
    case "inherits":
      return (
        asset.inherits !== null &&
        same(asset.inherits.from, criterion.from) &&
        (asset.inherits.facts & criterion.fact) !== 0
      );
    case "nothing":
      return false;
    default:
      return criterion satisfies never;
  }
};

const same = (a: Uint8Array | null, b: Uint8Array): boolean => a !== null && compareAddresses(a, b) === 0;

/** The facts include those that it takes from its collection. */
const resolvedFacts = (asset: WorldAsset, world: SearchWorld): WorldAsset => {
  const { inherits } = asset;
  const from = inherits === null ? undefined : world.assets.find(({ id }) => same(id, inherits.from));
  if (inherits === null || from?.interface !== "MplCoreCollection") return asset;
  const takes = (fact: number): boolean => (inherits.facts & fact) !== 0;
  return {
    ...asset,
    authority: takes(inheritable.authority) ? from.authority : asset.authority,
    delegate: takes(inheritable.delegate) ? from.authority : asset.delegate,
    basisPoints: takes(inheritable.royalty) ? from.basisPoints : asset.basisPoints,
    creators: takes(inheritable.royalty) ? from.creators : asset.creators,
    frozen: asset.frozen || (takes(inheritable.frozen) && from.frozen),
  };
};

export const matchesQuery = (asset: WorldAsset, query: AssetQuery, world: SearchWorld): boolean => {
  const resolved = resolvedFacts(asset, world);
  const meetsOne = (criterion: Criterion): boolean => meets(resolved, criterion, world);
  const group =
    query.criteria.length === 0 ||
    (query.match === "all" ? query.criteria.every(meetsOne) : query.criteria.some(meetsOne));
  return group !== query.negate;
};

/** Order of two assets under a sort, before the direction. `none` is the order of the store: its numbers. */
export const compareBy = (sort: SortKey, a: WorldAsset, b: WorldAsset): number => {
  const byId = compareAddresses(a.id, b.id);
  switch (sort) {
    case "id":
      return byId;
    case "created":
      return a.createdSlot - b.createdSlot || byId;
    case "updated":
      return a.updatedSlot - b.updatedSlot || byId;
    case "none":
      return a.ordinal - b.ordinal;
    default:
      return sort satisfies never;
  }
};
