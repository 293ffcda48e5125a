import {
  emptyHash,
  hashCollection,
  hashCreators,
  hashMetadata,
  type Leaf,
  type LeafMetadata,
} from "@lamplight/codecs";

const hashesOf = (metadata: LeafMetadata) => ({
  dataHash: hashMetadata(metadata),
  creatorHash: hashCreators(metadata.creators),
});

const collectionHashOf = ({ collection }: LeafMetadata): Uint8Array =>
  hashCollection(collection?.address ?? null);

/** A leaf as it is minted, of the version of its metadata. */
export const mintedLeaf = (
  { assetId, nonce, assetOwner }: Pick<Leaf, "assetId" | "nonce" | "assetOwner">,
  metadata: LeafMetadata,
): Leaf => {
  const base = { assetId, assetOwner, delegate: assetOwner, nonce, ...hashesOf(metadata) };
  if (metadata.version === 1) return { version: 1, ...base };
  return {
    version: 2,
    ...base,
    collectionHash: collectionHashOf(metadata),
    assetDataHash: emptyHash,
    flags: 0,
  };
};

/** Gives a leaf other metadata. */
export const withMetadata = (leaf: Leaf, metadata: LeafMetadata): Leaf =>
  leaf.version === 1
    ? { ...leaf, ...hashesOf(metadata) }
    : { ...leaf, ...hashesOf(metadata), collectionHash: collectionHashOf(metadata) };
