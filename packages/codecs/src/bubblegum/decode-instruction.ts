import { BorshReader } from "../borsh/borsh-reader.ts";
import { u32At } from "../bytes/uint-at.ts";
import { programAddresses, sameBytes } from "../programs/addresses.ts";
import { instructionShapes, type InstructionShape } from "./instruction-table.ts";
import {
  type LeafMetadata,
  type MetadataUpdate,
  readMetadataUpdate,
  readMetadataV1,
  readMetadataV2,
} from "./metadata-args.ts";

const TAG_BYTES = 8;
/** By the first half of their tags, which alone distinguishes all known instructions; the second half is compared. */
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

/** The values of the arguments; null where this form has no such argument. */
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
 * @param changeLogs - of the instruction: the tree they name decides between the forms of an instruction
 * @throws {LamplightError} `CODEC__MALFORMED` when arguments are cut short
 */
export const decodeBubblegumInstruction = (
  data: Uint8Array,
  accounts: readonly Uint8Array[],
  changeLogs: readonly Logged[] = [],
): BubblegumInstruction | null => {
  if (data.length < TAG_BYTES) return null;
  const shape = findShape(data);
  if (shape === null) return null;
  const shift = shiftOf(shape, accounts, changeLogs);
  const account = (position: number | null): Uint8Array | null => {
    const address = position === null ? undefined : accounts[position + shift];
    return address === undefined || sameBytes(address, programAddresses.bubblegum) ? null : address;
  };
  return {
    shape,
    owner: account(shape.owner),
    delegate: account(shape.delegate),
    subject: account(shape.subject) ?? account(shape.subjectElse),
    collection: account(shape.collection),
    arguments: readArguments(shape, new BorshReader(`arguments of ${shape.name}`, data, TAG_BYTES)),
  };
};

interface Logged {
  readonly tree: Uint8Array;
}

/**
 * The distance of the accounts from the positions of the current form. Proof nodes may follow the named accounts, so
 * their number does not distinguish the forms. A delegate may be any address, the tree's too: the current form comes
 * first.
 */
const shiftOf = (
  { tree }: InstructionShape,
  accounts: readonly Uint8Array[],
  changeLogs: readonly Logged[],
): number => {
  if (tree === null) return 0;
  const isTreeAt = (position: number): boolean => {
    const address = accounts[position];
    return address !== undefined && changeLogs.some((log) => sameBytes(log.tree, address));
  };
  return !isTreeAt(tree.current) && isTreeAt(tree.early) ? tree.early - tree.current : 0;
};

/** Filled member by member: joining an object from parts takes longer than reading them. */
type Given = { -readonly [Name in keyof InstructionArguments]: InstructionArguments[Name] };

const noArguments = (): Given => ({
  nonce: null,
  leafIndex: null,
  dataHash: null,
  creatorHash: null,
  collectionHash: null,
  assetDataHash: null,
  flags: null,
  metadata: null,
  update: null,
  collection: null,
  assetData: null,
});

// Bytes after the last argument are allowed, as the program's own decoder allows them.
const readArguments = ({ form }: InstructionShape, reader: BorshReader): InstructionArguments => {
  const given = noArguments();
  switch (form) {
    case "none":
    case "root":
      break;
    case "mintV1":
      given.metadata = readMetadataV1(reader);
      break;
    case "mintV2":
      given.metadata = readMetadataV2(reader);
      given.assetData = readAssetData(reader);
      break;
    case "standard":
      readStandard(given, reader);
      break;
    case "standardMetadata":
      readStandard(given, reader);
      given.metadata = readMetadataV1(reader);
      break;
    case "standardMetadataCollection":
      readStandard(given, reader);
      given.metadata = readMetadataV1(reader);
      given.collection = reader.key();
      break;
    case "v2":
      readHashes(given, reader);
      readAssetDataAndFlags(given, reader);
      readPlace(given, reader);
      break;
    case "delegateV2":
      readHashes(given, reader);
      given.collectionHash = reader.option(() => reader.bytes(32));
      readAssetDataAndFlags(given, reader);
      readPlace(given, reader);
      break;
    case "metadataV2":
      readMetadataChangeV2(given, reader);
      break;
    case "updateV1":
      reader.skip(32);
      readPlace(given, reader);
      given.metadata = readMetadataV1(reader);
      given.update = readMetadataUpdate(reader);
      break;
    case "updateV2":
      readMetadataChangeV2(given, reader);
      given.update = readMetadataUpdate(reader);
      break;
    default:
      return form satisfies never;
  }
  return given;
};

/** Merkle root (not kept: the change log has the new one), then the two hashes every leaf has. */
const readHashes = (given: Given, reader: BorshReader): void => {
  reader.skip(32);
  given.dataHash = reader.bytes(32);
  given.creatorHash = reader.bytes(32);
};

const readPlace = (given: Given, reader: BorshReader): void => {
  given.nonce = reader.counter("nonce");
  given.leafIndex = reader.u32();
};

const readStandard = (given: Given, reader: BorshReader): void => {
  readHashes(given, reader);
  readPlace(given, reader);
};

const readAssetDataAndFlags = (given: Given, reader: BorshReader): void => {
  given.assetDataHash = reader.option(() => reader.bytes(32));
  given.flags = reader.option(() => reader.u8());
};

const readMetadataChangeV2 = (given: Given, reader: BorshReader): void => {
  reader.skip(32);
  readAssetDataAndFlags(given, reader);
  readPlace(given, reader);
  given.metadata = readMetadataV2(reader);
};

/** The first deployment of mint_v2 took no asset data: its arguments end before them. */
const readAssetData = (reader: BorshReader): Uint8Array | null =>
  reader.remaining === 0 ? null : reader.option(() => reader.bytes(reader.u32()));
