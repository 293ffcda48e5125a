import { keccak256 } from "../keccak/keccak256.ts";
import type { Leaf } from "./leaf-schema.ts";
import { encodeMetadata, type LeafCreator, type LeafMetadata } from "./metadata-args.ts";

const noCollection = new Uint8Array(32);

/** keccak-256 of nothing: the hash of no creators and of no asset data. */
export const emptyHash: Uint8Array = keccak256();

/** The node of the tree that stands for this leaf. */
export const hashLeaf = (leaf: Leaf): Uint8Array => {
  const head = Uint8Array.of(leaf.version);
  const nonce = new Uint8Array(8);
  new DataView(nonce.buffer).setBigUint64(0, BigInt(leaf.nonce), true);
  const common = [head, leaf.assetId, leaf.assetOwner, leaf.delegate, nonce, leaf.dataHash, leaf.creatorHash];
  if (leaf.version === 1) return keccak256(...common);
  return keccak256(...common, leaf.collectionHash, leaf.assetDataHash, Uint8Array.of(leaf.flags));
};

export const hashCreators = (creators: readonly LeafCreator[]): Uint8Array =>
  keccak256(
    ...creators.flatMap(({ address, verified, share }) => [address, Uint8Array.of(verified ? 1 : 0, share)]),
  );

/** The data hash of a leaf: metadata and, hashed a second time, the royalty. */
export const hashMetadata = (metadata: LeafMetadata): Uint8Array =>
  keccak256(
    keccak256(encodeMetadata(metadata)),
    Uint8Array.of(metadata.basisPoints & 255, metadata.basisPoints >> 8),
  );

/** @param collection - null = in no collection */
export const hashCollection = (collection: Uint8Array | null): Uint8Array =>
  keccak256(collection ?? noCollection);

export const hashAssetData = (assetData: Uint8Array | null): Uint8Array =>
  assetData === null ? emptyHash : keccak256(assetData);
