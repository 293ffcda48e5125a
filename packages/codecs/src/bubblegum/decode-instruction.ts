import { BorshReader } from "../borsh/borsh-reader.ts";
import { u32At } from "../bytes/u32-at.ts";
import { programAddresses, sameBytes } from "../programs/addresses.ts";
import { instructionShapes, type InstructionShape } from "./instruction-table.ts";
import {
  type LeafMetadata,
  type MetadataUpdate,
  readMetadataUpdate,
  readMetadataV1,
  readMetadataV2,
} from "./metadata-args.ts";

const tagBytes = 8;
/** By the first half of their tags, which alone tells all known instructions apart; the second half is compared. */
const shapeOfTag = new Map(
  instructionShapes.map((shape) => {
    const tag = Buffer.from(shape.tag, "hex");
    return [u32At(tag, 0), { shape, rest: u32At(tag, 4) }] as const;
  }),
);

const findShape = (data: Uint8Array): InstructionShape | null => {
  const found = shapeOfTag.get(u32At(data, 0));
  return found === undefined || found.rest !== u32At(data, 4) ? null : found.shape;
};

/** What the arguments say; null where this form has no such argument. */
export interface InstructionArguments {
  readonly nonce: number | null;
  readonly leafIndex: number | null;
  readonly dataHash: Uint8Array | null;
  readonly creatorHash: Uint8Array | null;
  readonly collectionHash: Uint8Array | null;
  readonly assetDataHash: Uint8Array | null;
  readonly flags: number | null;
  /** As given, before the instruction's own change. */
  readonly metadata: LeafMetadata | null;
  readonly update: MetadataUpdate | null;
  /** Collection to set, of `set_and_verify_collection`. */
  readonly collection: Uint8Array | null;
  readonly assetData: Uint8Array | null;
}

/** One Bubblegum instruction: its accounts by role (null = none, or an optional one left out) and its arguments. */
export interface BubblegumInstruction {
  readonly shape: InstructionShape;
  readonly owner: Uint8Array | null;
  readonly delegate: Uint8Array | null;
  readonly subject: Uint8Array | null;
  readonly collection: Uint8Array | null;
  readonly arguments: InstructionArguments;
}

/**
 * Null for a tag that no known instruction has.
 *
 * @throws {LamplightError} `CODEC__MALFORMED` when arguments are cut short
 */
export const decodeBubblegumInstruction = (
  data: Uint8Array,
  accounts: readonly Uint8Array[],
): BubblegumInstruction | null => {
  if (data.length < tagBytes) return null;
  const shape = findShape(data);
  if (shape === null) return null;
  const account = (position: number | null): Uint8Array | null => {
    const address = position === null ? undefined : accounts[position];
    return address === undefined || sameBytes(address, programAddresses.bubblegum) ? null : address;
  };
  return {
    shape,
    owner: account(shape.owner),
    delegate: account(shape.delegate),
    subject: account(shape.subject) ?? account(shape.subjectElse),
    collection: account(shape.collection),
    arguments: readArguments(shape, new BorshReader(`arguments of ${shape.name}`, data, tagBytes)),
  };
};

const argumentsOf = (given: Partial<InstructionArguments>): InstructionArguments => ({
  nonce: given.nonce ?? null,
  leafIndex: given.leafIndex ?? null,
  dataHash: given.dataHash ?? null,
  creatorHash: given.creatorHash ?? null,
  collectionHash: given.collectionHash ?? null,
  assetDataHash: given.assetDataHash ?? null,
  flags: given.flags ?? null,
  metadata: given.metadata ?? null,
  update: given.update ?? null,
  collection: given.collection ?? null,
  assetData: given.assetData ?? null,
});

const noArguments = argumentsOf({});

// Bytes after the last argument are allowed, as the program's own decoder allows them.
const readArguments = ({ form }: InstructionShape, reader: BorshReader): InstructionArguments => {
  switch (form) {
    case "none":
    case "root":
      return noArguments;
    case "mintV1":
      return argumentsOf({ metadata: readMetadataV1(reader) });
    case "mintV2":
      return argumentsOf({ metadata: readMetadataV2(reader), assetData: readAssetData(reader) });
    case "standard":
      return argumentsOf({ ...readStandard(reader) });
    case "standardMetadata":
      return argumentsOf({ ...readStandard(reader), metadata: readMetadataV1(reader) });
    case "standardMetadataCollection":
      return argumentsOf({
        ...readStandard(reader),
        metadata: readMetadataV1(reader),
        collection: reader.key(),
      });
    case "v2":
      return argumentsOf({
        ...readHashes(reader),
        ...readAssetDataAndFlags(reader),
        ...readPlace(reader),
      });
    case "delegateV2":
      return argumentsOf({
        ...readHashes(reader),
        collectionHash: reader.option(() => reader.bytes(32)),
        ...readAssetDataAndFlags(reader),
        ...readPlace(reader),
      });
    case "metadataV2":
      return argumentsOf({ ...readMetadataChangeV2(reader) });
    case "updateV1":
      reader.skip(32);
      return argumentsOf({
        ...readPlace(reader),
        metadata: readMetadataV1(reader),
        update: readMetadataUpdate(reader),
      });
    case "updateV2":
      return argumentsOf({ ...readMetadataChangeV2(reader), update: readMetadataUpdate(reader) });
    default:
      return form satisfies never;
  }
};

type Hashes = Pick<InstructionArguments, "dataHash" | "creatorHash">;
type Place = Pick<InstructionArguments, "nonce" | "leafIndex">;
type AssetDataAndFlags = Pick<InstructionArguments, "assetDataHash" | "flags">;

/** Merkle root (not kept: the change log has the new one), then the two hashes every leaf has. */
const readHashes = (reader: BorshReader): Hashes => {
  reader.skip(32);
  return { dataHash: reader.bytes(32), creatorHash: reader.bytes(32) };
};

const readPlace = (reader: BorshReader): Place => ({
  nonce: reader.counter("nonce"),
  leafIndex: reader.u32(),
});

const readStandard = (reader: BorshReader): Hashes & Place => ({
  ...readHashes(reader),
  ...readPlace(reader),
});

const readAssetDataAndFlags = (reader: BorshReader): AssetDataAndFlags => ({
  assetDataHash: reader.option(() => reader.bytes(32)),
  flags: reader.option(() => reader.u8()),
});

const readMetadataChangeV2 = (
  reader: BorshReader,
): AssetDataAndFlags & Place & { readonly metadata: LeafMetadata } => {
  reader.skip(32);
  return { ...readAssetDataAndFlags(reader), ...readPlace(reader), metadata: readMetadataV2(reader) };
};

/** The first deployment of mint_v2 took no asset data: its arguments end before them. */
const readAssetData = (reader: BorshReader): Uint8Array | null =>
  reader.remaining === 0 ? null : reader.option(() => reader.bytes(reader.u32()));
