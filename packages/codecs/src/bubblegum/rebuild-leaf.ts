import { sameBytes } from "../programs/addresses.ts";
import { deriveAssetId } from "./asset-id.ts";
import type { BubblegumInstruction } from "./decode-instruction.ts";
import { emptyHash, hashAssetData, hashCollection, hashCreators, hashLeaf, hashMetadata } from "./hashes.ts";
import type { Leaf } from "./leaf-schema.ts";
import type { LeafMetadata } from "./metadata-args.ts";

/** All combinations of the three flags. */
const FLAGS_END = 8;

/**
 * The new leaf of an instruction whose leaf event is missing (an early deployment of set_non_transferable_v2 sent
 * none): instructions name all that goes into the old leaf, since the program proves it against the tree, and what
 * they change. The few candidates are hashed; the one that gives the leaf of the change log is the truth, whichever
 * way it was found. Null when none does.
 */
export const rebuildLeaf = (
  instruction: BubblegumInstruction,
  metadata: LeafMetadata | null,
  tree: Uint8Array,
  leafIndex: number,
  leafHash: Uint8Array,
): Leaf | null => {
  const { arguments: given, shape } = instruction;
  const dataHash = metadata === null ? given.dataHash : hashMetadata(metadata);
  const creatorHash = metadata === null ? given.creatorHash : hashCreators(metadata.creators);
  if (dataHash === null || creatorHash === null) return null;
  const nonce = given.nonce ?? leafIndex;
  const base = { assetId: deriveAssetId(tree, nonce), nonce, dataHash, creatorHash };
  for (const owner of ownersOf(instruction)) {
    for (const delegate of distinct([owner, instruction.delegate, instruction.subject])) {
      const people = { ...base, assetOwner: owner, delegate };
      const found =
        shape.leafVersion === 1
          ? matching([{ version: 1, ...people }], leafHash)
          : matching(candidatesV2(instruction, metadata, people), leafHash);
      if (found !== null) return found;
    }
  }
  return null;
};

const ownersOf = ({ shape, owner, subject }: BubblegumInstruction): readonly Uint8Array[] =>
  distinct([shape.effect === "transfer" ? subject : null, owner]);

type People = Omit<Extract<Leaf, { version: 1 }>, "version">;

const candidatesV2 = (
  { arguments: given, collection }: BubblegumInstruction,
  metadata: LeafMetadata | null,
  people: People,
): readonly Leaf[] => {
  const collectionHashes =
    metadata === null
      ? distinct([
          given.collectionHash,
          collection === null ? null : hashCollection(collection),
          hashCollection(null),
        ])
      : [hashCollection(metadata.collection?.address ?? null)];
  const assetDataHashes = distinct([given.assetDataHash, hashAssetData(given.assetData), emptyHash]);
  return collectionHashes.flatMap((collectionHash) =>
    assetDataHashes.flatMap((assetDataHash) =>
      Array.from({ length: FLAGS_END }, (_, flags): Leaf => ({
        version: 2,
        ...people,
        collectionHash,
        assetDataHash,
        flags,
      })),
    ),
  );
};

const matching = (candidates: readonly Leaf[], leafHash: Uint8Array): Leaf | null =>
  candidates.find((leaf) => sameBytes(hashLeaf(leaf), leafHash)) ?? null;

const distinct = (values: readonly (Uint8Array | null)[]): readonly Uint8Array[] =>
  values.filter(
    (value, index): value is Uint8Array =>
      value !== null && values.findIndex((other) => other !== null && sameBytes(other, value)) === index,
  );
