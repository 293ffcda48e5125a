// Instructions of Bubblegum's own library that need a proof of a leaf.

import { verifyLeaf as verifyForkedLeaf } from "@metaplex-foundation/mpl-account-compression";
import {
  type AssetWithProof,
  burn,
  burnV2,
  delegate,
  delegateV2,
  freezeV2,
  redeem,
  setCollectionV2,
  thawV2,
  transfer,
  transferV2,
} from "@metaplex-foundation/mpl-bubblegum";
import { verifyLeaf } from "@metaplex-foundation/spl-account-compression";
import {
  type PublicKey,
  publicKeyBytes,
  unwrapOption,
  type Signer,
  type TransactionBuilder,
} from "@metaplex-foundation/umi";
import type { UmiContext } from "../metaplex/umi-instructions.ts";

export interface LeafScene {
  readonly context: UmiContext;
  /** The library made this of the answers of an index. */
  readonly asset: AssetWithProof;
  readonly owner: Signer;
  readonly leafDelegate: Signer;
  readonly to: PublicKey;
  /** A collection of MPL Core that every leaf of the second version may be in. Who pays has the authority over it. */
  readonly collection: PublicKey;
}

export type LeafStep =
  | "burn"
  | "delegate"
  | "freeze"
  | "redeem"
  | "set collection"
  | "thaw"
  | "transfer"
  | "verify";

type LeafSteps = { readonly [Step in LeafStep]?: (scene: LeafScene) => TransactionBuilder };

/** `redeem` is the first half of a decompression. Leaves of the second version have none. */
export const leafSteps: { readonly [version in 1 | 2]: LeafSteps } = {
  1: {
    burn: ({ context, asset, owner }) => burn(context, { ...asset, leafOwner: owner }),
    delegate: ({ context, asset, owner, to }) =>
      delegate(context, {
        ...asset,
        leafOwner: owner,
        previousLeafDelegate: asset.leafDelegate,
        newLeafDelegate: to,
      }),
    redeem: ({ context, asset, owner }) => redeem(context, { ...asset, leafOwner: owner }),
    transfer: ({ context, asset, owner, to }) =>
      transfer(context, { ...asset, leafOwner: owner, newLeafOwner: to }),
    verify: ({ context, asset }) => verifyLeaf(context, { ...asset, leaf: leafOf(asset) }),
  },
  2: {
    burn: ({ context, asset, owner }) => burnV2(context, { ...inPlace(asset), authority: owner }),
    delegate: ({ context, asset, owner, to }) =>
      delegateV2(context, {
        ...asset,
        ...(asset.collection_hash !== undefined && { collectionHash: asset.collection_hash }),
        leafOwner: owner,
        previousLeafDelegate: asset.leafDelegate,
        newLeafDelegate: to,
      }),
    freeze: ({ context, asset, leafDelegate }) =>
      freezeV2(context, { ...inPlace(asset), authority: leafDelegate }),
    "set collection": ({ context, asset, collection }) =>
      setCollectionV2(context, {
        ...inPlace(asset),
        metadata: asset.currentMetadata!,
        ...(collectionOf(asset) === null && { newCoreCollection: collection }),
      }),
    thaw: ({ context, asset, leafDelegate }) =>
      thawV2(context, { ...inPlace(asset), authority: leafDelegate }),
    transfer: ({ context, asset, owner, to }) =>
      transferV2(context, { ...inPlace(asset), authority: owner, newLeafOwner: to }),
    verify: ({ context, asset }) => verifyForkedLeaf(context, { ...asset, leaf: leafOf(asset) }),
  },
};

/** The collection that the leaf is in; null = none. */
export const collectionOf = ({ metadata }: AssetWithProof): PublicKey | null =>
  unwrapOption(metadata.collection)?.key ?? null;

/** The programs hash the collection into the leaf. */
const inPlace = (asset: AssetWithProof) => {
  const coreCollection = collectionOf(asset);
  return coreCollection === null ? asset : { ...asset, coreCollection };
};

const leafOf = ({ rpcAssetProof }: AssetWithProof): Uint8Array => publicKeyBytes(rpcAssetProof.leaf);
