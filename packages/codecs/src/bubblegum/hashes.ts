import { BorshWriter } from "../borsh/borsh-writer.ts";
import { keccak256 } from "../keccak/keccak256.ts";
import type { Leaf } from "./leaf-schema.ts";
import { encodeMetadata, type LeafCreator, type LeafMetadata } from "./metadata-args.ts";

/** The hash of 32 zero bytes. */
const noCollectionHash: Uint8Array = keccak256(new Uint8Array(32));
/** One call uses it at a time: no call is interrupted, and its content is hashed at once. */
const scratch = new BorshWriter();

/** keccak-256 of nothing: the hash of no creators and of no asset data. */
export const emptyHash: Uint8Array = keccak256();

/** The node of the tree that stands for this leaf. */
export const hashLeaf = (leaf: Leaf): Uint8Array => {
  const writer = scratch.clear().u8(leaf.version);
  writer.bytes(leaf.assetId).bytes(leaf.assetOwner).bytes(leaf.delegate).counter(leaf.nonce);
  writer.bytes(leaf.dataHash).bytes(leaf.creatorHash);
  if (leaf.version === 2) writer.bytes(leaf.collectionHash).bytes(leaf.assetDataHash).u8(leaf.flags);
  return keccak256(writer.finish());
};

export const hashCreators = (creators: readonly LeafCreator[]): Uint8Array => {
  if (creators.length === 0) return emptyHash;
  const writer = scratch.clear();
  for (const { address, verified, share } of creators) writer.bytes(address).bool(verified).u8(share);
  return keccak256(writer.finish());
};

/** The data hash of a leaf: metadata and, hashed a second time, the royalty. */
export const hashMetadata = (metadata: LeafMetadata): Uint8Array =>
  keccak256(
    keccak256(metadata.encoded ?? encodeMetadata(metadata)),
    Uint8Array.of(metadata.basisPoints & 255, metadata.basisPoints >> 8),
  );

/** @param collection - null = in no collection */
export const hashCollection = (collection: Uint8Array | null): Uint8Array =>
  collection === null ? noCollectionHash : keccak256(collection);

export const hashAssetData = (assetData: Uint8Array | null): Uint8Array =>
  assetData === null ? emptyHash : keccak256(assetData);
