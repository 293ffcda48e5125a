// Instructions of Bubblegum's own library that need a proof of a leaf.

import { verifyLeaf as verifyForkedLeaf } from "@metaplex-foundation/mpl-account-compression";
import {
  type AssetWithProof,
  burn,
  burnV2,
  delegate,
  delegateV2,
  redeem,
  transfer,
  transferV2,
} from "@metaplex-foundation/mpl-bubblegum";
import { verifyLeaf } from "@metaplex-foundation/spl-account-compression";
import {
  type PublicKey,
  publicKeyBytes,
  type Signer,
  type TransactionBuilder,
} from "@metaplex-foundation/umi";
import type { UmiContext } from "../metaplex/umi-instructions.ts";

export interface LeafScene {
  readonly context: UmiContext;
  /** The library made this of the answers of an index. */
  readonly asset: AssetWithProof;
  readonly owner: Signer;
  readonly to: PublicKey;
}

export type LeafStep = "burn" | "delegate" | "redeem" | "transfer" | "verify";

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
    burn: ({ context, asset, owner }) => burnV2(context, { ...asset, authority: owner }),
    delegate: ({ context, asset, owner, to }) =>
      delegateV2(context, {
        ...asset,
        leafOwner: owner,
        previousLeafDelegate: asset.leafDelegate,
        newLeafDelegate: to,
      }),
    transfer: ({ context, asset, owner, to }) =>
      transferV2(context, { ...asset, authority: owner, newLeafOwner: to }),
    verify: ({ context, asset }) => verifyForkedLeaf(context, { ...asset, leaf: leafOf(asset) }),
  },
};

const leafOf = ({ rpcAssetProof }: AssetWithProof): Uint8Array => publicKeyBytes(rpcAssetProof.leaf);
