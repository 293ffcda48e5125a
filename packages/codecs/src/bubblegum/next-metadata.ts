import { sameBytes } from "../programs/addresses.ts";
import type { BubblegumInstruction } from "./decode-instruction.ts";
import type { LeafCollection, LeafMetadata, MetadataUpdate } from "./metadata-args.ts";

/** The bytes that were read are out of date after a change. */
const changed = { encoded: undefined };

/**
 * The metadata an asset has after the instruction, or null when the instruction carries none. Not proved: compare its
 * hashes with those of the new leaf.
 */
export const nextMetadata = (instruction: BubblegumInstruction): LeafMetadata | null => {
  const { metadata } = instruction.arguments;
  if (metadata === null) return null;
  switch (instruction.shape.effect) {
    case "mint":
      // mint_to_collection_v1 names the collection's mint among its accounts and verifies it on the way.
      return instruction.shape.subject === null ? metadata : withCollectionVerified(metadata, true);
    case "verifyCreator":
      return withCreatorVerified(metadata, instruction.subject, true);
    case "unverifyCreator":
      return withCreatorVerified(metadata, instruction.subject, false);
    case "verifyCollection":
      return withCollectionVerified(metadata, true);
    case "unverifyCollection":
      return withCollectionVerified(metadata, false);
    case "setCollection":
      return { ...metadata, collection: collectionToSet(instruction), ...changed };
    case "updateMetadata":
      return instruction.arguments.update === null
        ? metadata
        : updated(metadata, instruction.arguments.update);
    default:
      return metadata;
  }
};

const withCollectionVerified = (metadata: LeafMetadata, verified: boolean): LeafMetadata =>
  metadata.collection === null
    ? metadata
    : { ...metadata, collection: { ...metadata.collection, verified }, ...changed };

const withCreatorVerified = (
  metadata: LeafMetadata,
  creator: Uint8Array | null,
  verified: boolean,
): LeafMetadata => ({
  ...metadata,
  creators: metadata.creators.map((each) =>
    creator !== null && sameBytes(each.address, creator) ? { ...each, verified } : each,
  ),
  ...changed,
});

/** V1 names it in the arguments; V2 by an account, which is left out to take the asset out of its collection. */
const collectionToSet = (instruction: BubblegumInstruction): LeafCollection | null => {
  const address =
    instruction.shape.leafVersion === 1 ? instruction.arguments.collection : instruction.subject;
  return address === null ? null : { address, verified: true };
};

const updated = (metadata: LeafMetadata, update: MetadataUpdate): LeafMetadata => ({
  ...metadata,
  name: update.name ?? metadata.name,
  symbol: update.symbol ?? metadata.symbol,
  uri: update.uri ?? metadata.uri,
  creators: update.creators ?? metadata.creators,
  basisPoints: update.basisPoints ?? metadata.basisPoints,
  primarySaleHappened: update.primarySaleHappened ?? metadata.primarySaleHappened,
  mutable: update.mutable ?? metadata.mutable,
  ...changed,
});
