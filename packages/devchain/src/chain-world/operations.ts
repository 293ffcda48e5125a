// Each operation, by the kind of the asset.

import type { AddressBytes } from "@lamplight/core";
import { sameBytes } from "@lamplight/codecs";
import {
  burnCore,
  delegateCore,
  findCoreCollection,
  freezeCollection,
  freezeCore,
  isCoreFrozen,
  setCoreCollection,
  transferCore,
  updateCore,
  verifyCoreCreator,
} from "./core-assets.ts";
import type { CoreAsset, LeafAsset, Minted, TokenAsset } from "./minted.ts";
import type { WorldContext } from "./world-context.ts";
import { type AddressLike, invalid, readAddress } from "../input.ts";
import {
  burnLeaf,
  delegateLeaf,
  freezeLeaf,
  isLeafFrozen,
  redeemLeaf,
  setLeafCollection,
  transferLeaf,
  updateLeaf,
  verifyLeafCollection,
  verifyLeafCreator,
} from "./leaf-assets.ts";
import type { FreezeChoice, HoldingChoice, UpdateInput } from "./mint-input.ts";
import { mintToken, nftCollection } from "./mint-token.ts";
import {
  burnToken,
  closeToken,
  delegateToken,
  freezeToken,
  mintAmount,
  printToken,
  setTokenCollection,
  transferToken,
  updateToken,
  verifyTokenCollection,
  verifyTokenCreator,
} from "./token-operations.ts";

type Movable = TokenAsset | CoreAsset | LeafAsset;

export const transfer = (
  context: WorldContext,
  given: Minted,
  to: AddressBytes,
  choice: HoldingChoice,
): void => {
  const asset = alive(given);
  assertOwner(asset, choice);
  if (asset.type === "token") transferToken(context, asset, to, choice);
  else if (asset.type === "core") transferCore(context, notFrozen(context, asset), to);
  else transferLeaf(context, notFrozen(context, asset), to);
};

/** @param to - null revokes */
export const delegate = (
  context: WorldContext,
  given: Minted,
  to: AddressBytes | null,
  choice: HoldingChoice,
): void => {
  const asset = alive(given);
  assertOwner(asset, choice);
  if (asset.type === "token") delegateToken(context, asset, to, choice);
  else if (asset.type === "core") delegateCore(context, asset, to);
  else delegateLeaf(context, asset, to);
};

export const freeze = (context: WorldContext, given: Minted, frozen: boolean, choice: FreezeChoice): void => {
  const { by } = choice;
  if (by !== undefined && by !== "delegate" && by !== "permanentDelegate")
    throw invalid("by", "must be delegate or permanentDelegate");
  if (given.type === "core-collection" && by === "permanentDelegate") {
    freezeCollection(context, given, frozen);
    return;
  }
  const asset = alive(given);
  if (asset.type === "core") freezeCore(context, asset, frozen, by);
  else if (asset.type === "leaf") freezeLeaf(context, asset, frozen, by);
  else if (by === "permanentDelegate") throw invalid("by", "must be delegate for a token");
  else freezeToken(context, asset, frozen, choice);
};

export const verifyCreator = (
  context: WorldContext,
  given: Minted,
  creator: AddressBytes,
  verified: boolean,
): void => {
  const asset = alive(given);
  if (!creatorsOf(asset).some((address) => sameBytes(address, creator)))
    throw invalid("creator", "must be a creator of the asset");
  if (asset.type === "token") verifyTokenCreator(context, asset, creator, verified);
  else if (asset.type === "core") verifyCoreCreator(context, asset, creator, verified);
  else verifyLeafCreator(context, asset, creator, verified);
};

export const verifyCollection = (context: WorldContext, given: Minted, verified: boolean): void => {
  const asset = alive(given);
  if (asset.type === "token") verifyTokenCollection(context, asset, verified);
  else if (asset.type === "leaf") verifyLeafCollection(context, asset, verified);
  else throw invalid("collection", "of a Core asset is always verified");
};

export const setCollection = (context: WorldContext, given: Minted, collection: AddressLike | null): void => {
  const asset = alive(given);
  if (asset.type === "core") {
    const found = collection === null ? null : findCoreCollection(context, collection);
    setCoreCollection(context, asset, found);
    return;
  }
  if (asset.type === "leaf") {
    const isV1 = asset.held.leaf.version === 1;
    const address =
      collection === null
        ? null
        : isV1
          ? nftCollection(context, collection)
          : readAddress(collection, "collection");
    setLeafCollection(context, asset, address);
    return;
  }
  setTokenCollection(context, asset, collection === null ? null : nftCollection(context, collection));
};

export const update = (context: WorldContext, given: Minted, input: UpdateInput): void => {
  const asset = alive(given);
  if (asset.type === "token") updateToken(context, asset, input);
  else if (asset.type === "core") updateCore(context, asset, input);
  else updateLeaf(context, asset, input);
};

export const print = (
  context: WorldContext,
  given: Minted,
  owner: AddressBytes,
  number: number | undefined,
): TokenAsset => printToken(context, tokenOf(given), owner, number);

export const burn = (context: WorldContext, given: Minted, choice: HoldingChoice): void => {
  const asset = alive(given);
  assertOwner(asset, choice);
  if (asset.type === "token") burnToken(context, asset, choice);
  else if (asset.type === "core") burnCore(context, asset);
  else burnLeaf(context, asset);
};

export const close = (context: WorldContext, given: Minted, owner: AddressBytes): void => {
  if (given.type !== "token") throw invalid("id", "must be an asset with token accounts");
  closeToken(context, given, owner);
};

export const mintMore = (context: WorldContext, given: Minted, to: AddressBytes, amount: bigint): void => {
  mintAmount(context, tokenOf(given), to, amount);
};

export const decompress = (context: WorldContext, given: Minted): void => {
  const asset = alive(given);
  if (asset.type !== "leaf" || asset.held.leaf.version !== 1)
    throw invalid("kind", 'must be "compressed": only V1 leaves can leave their tree');
  const { content, held } = asset;
  const { metadata, leaf } = held;
  redeemLeaf(context, asset);
  mintToken(
    context,
    {
      ...content,
      image: content.image ?? undefined,
      animationUrl: content.animationUrl ?? undefined,
      externalUrl: content.externalUrl ?? undefined,
      kind: "nft",
      owner: leaf.assetOwner,
      creators: metadata.creators,
      sellerFeeBasisPoints: metadata.basisPoints,
      primarySaleHappened: metadata.primarySaleHappened,
      mutable: metadata.mutable,
      ...(metadata.collection === null
        ? {}
        : { collection: metadata.collection.address, collectionVerified: metadata.collection.verified }),
    } as Parameters<typeof mintToken>[1],
    asset.id,
  );
};

/** An asset that can be acted on; neither a collection of Core nor a burnt one. */
const alive = (asset: Minted): Movable => {
  if (asset.type === "core-collection" || asset.type === "core-group")
    throw invalid("id", "must be an asset, not a collection of MPL Core");
  if (asset.burnt) throw invalid("id", "must be an asset that is not burnt");
  return asset;
};

const tokenOf = (given: Minted): TokenAsset => {
  const asset = alive(given);
  if (asset.type !== "token") throw invalid("kind", "must be one with a mint");
  return asset;
};

const assertOwner = (asset: Movable, { from, amount }: HoldingChoice): void => {
  if (asset.type === "token") return;
  if (amount !== undefined && BigInt(amount) !== 1n) throw invalid("amount", "must be 1 for this kind");
  const owner = asset.type === "core" ? asset.owner : asset.held.leaf.assetOwner;
  if (from !== undefined && !sameBytes(readAddress(from, "from"), owner))
    throw invalid("from", "must be the owner of the asset");
};

const notFrozen = <One extends CoreAsset | LeafAsset>(context: WorldContext, asset: One): One => {
  const isFrozen = asset.type === "core" ? isCoreFrozen(context, asset) : isLeafFrozen(context, asset);
  if (isFrozen) throw invalid("id", "must be an asset that is not frozen; thaw it first");
  return asset;
};

const creatorsOf = (asset: Movable): readonly AddressBytes[] => {
  if (asset.type === "token") return asset.metadata?.creators.map(({ address }) => address) ?? [];
  if (asset.type === "leaf") return asset.held.metadata.creators.map(({ address }) => address);
  return asset.plugins.flatMap(({ data }) =>
    data.kind === "royalties" ? data.creators.map(({ address }) => address) : [],
  );
};
