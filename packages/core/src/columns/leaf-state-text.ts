// A leaf's state as a store keeps it: JSON text, addresses and hashes as base64. One text for one state: members in
// fixed order. Written by hand because it is on the way of every leaf event, and read only when a leaf comes again.

import type { AddressBytes } from "../domain/address.ts";
import type { EndGroup, LeafGroup, LeafState, MetadataGroup } from "../domain/leaf-state.ts";
import { writeJson } from "../json/write-json.ts";

export const writeLeafState = ({ nonce, treeConfig, leaf, end, metadata }: LeafState): string =>
  `{"nonce":${nonce},"treeConfig":${treeConfig === null ? "null" : packedText([treeConfig])}` +
  `,"leaf":${leaf === null ? "null" : writeLeafGroup(leaf)}` +
  `,"end":${end === null ? "null" : writeEndGroup(end)}` +
  `,"metadata":${metadata === null ? "null" : writeMetadataGroup(metadata)}}`;

export const writeLeafGroup = (leaf: LeafGroup): string => {
  const { v2 } = leaf;
  const parts = [leaf.leafHash, leaf.assetOwner, leaf.delegate, leaf.dataHash, leaf.creatorHash];
  if (v2 !== null) parts.push(v2.collectionHash, v2.assetDataHash);
  return `{"seq":${leaf.seq},"slot":${leaf.slot},"bytes":${packedText(parts)},"flags":${v2 === null ? "null" : v2.flags}}`;
};

export const writeEndGroup = ({ seq, slot, kind }: EndGroup): string =>
  `{"seq":${seq},"slot":${slot},"kind":"${kind}"}`;

export const writeMetadataGroup = (metadata: MetadataGroup): string => {
  const { creators, collection } = metadata;
  const parts = [metadata.dataHash];
  if (collection !== null) parts.push(collection.address);
  let creatorsText = "";
  for (const { address, verified, share } of creators) {
    parts.push(address);
    creatorsText += `${creatorsText === "" ? "" : ","}[${verified},${share}]`;
  }
  return (
    `{"seq":${metadata.seq},"slot":${metadata.slot},"bytes":${packedText(parts)}` +
    `,"name":${writeJson(metadata.name)},"symbol":${writeJson(metadata.symbol)},"uri":${writeJson(metadata.uri)}` +
    `,"basisPoints":${metadata.basisPoints},"primarySaleHappened":${metadata.primarySaleHappened}` +
    `,"mutable":${metadata.mutable},"editionNonce":${metadata.editionNonce},"creators":[${creatorsText}]` +
    `,"collectionVerified":${collection === null ? "null" : collection.verified},"uses":${usesText(metadata)}}`
  );
};

/** Counters as decimal text: they may pass what a JSON number holds exactly. */
const usesText = ({ uses }: MetadataGroup): string =>
  uses === null
    ? "null"
    : `{"method":${uses.method},"remaining":"${uses.remaining}","total":"${uses.total}"}`;

/** Addresses and hashes of a group in one base64 text: many short ones take several times as long. */
const packedText = (parts: readonly Uint8Array[]): string => {
  const bytes = parts.length * PART_BYTES > packed.length ? Buffer.alloc(parts.length * PART_BYTES) : packed;
  for (let index = 0; index < parts.length; index += 1)
    bytes.set(parts[index] as Uint8Array, index * PART_BYTES);
  return `"${bytes.toString("base64", 0, parts.length * PART_BYTES)}"`;
};

const PART_BYTES = 32;
/** Scratch of one call, with room for a leaf and for metadata with as many creators as there usually are. */
const packed = Buffer.alloc(PART_BYTES * 16);

/**
 * @param tree - the tree of the leaf, which is no part of the text
 * @param text - as `writeLeafState` gives it
 */
export const parseLeafState = (tree: AddressBytes, text: string): LeafState => {
  const { nonce, treeConfig, leaf, end, metadata } = JSON.parse(text) as WrittenState;
  return {
    tree,
    nonce,
    treeConfig: treeConfig === null ? null : unpack(treeConfig)(0),
    leaf: leaf === null ? null : leafOf(leaf),
    end,
    metadata: metadata === null ? null : metadataOf(metadata),
  };
};

interface WrittenState {
  readonly nonce: number;
  readonly treeConfig: string | null;
  readonly leaf: WrittenLeaf | null;
  readonly end: EndGroup | null;
  readonly metadata: WrittenMetadata | null;
}

interface WrittenLeaf {
  readonly seq: number;
  readonly slot: number;
  readonly bytes: string;
  readonly flags: number | null;
}

type WrittenMetadata = Omit<MetadataGroup, "dataHash" | "creators" | "collection" | "uses"> & {
  readonly bytes: string;
  readonly creators: readonly (readonly [verified: boolean, share: number])[];
  readonly collectionVerified: boolean | null;
  readonly uses: { readonly method: number; readonly remaining: string; readonly total: string } | null;
};

/** The parts of a packed text, by index. */
const unpack = (text: string): ((index: number) => Uint8Array) => {
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  return (index) => bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES);
};

const leafOf = ({ seq, slot, bytes, flags }: WrittenLeaf): LeafGroup => {
  const part = unpack(bytes);
  return {
    seq,
    slot,
    leafHash: part(0),
    assetOwner: part(1),
    delegate: part(2),
    dataHash: part(3),
    creatorHash: part(4),
    v2: flags === null ? null : { collectionHash: part(5), assetDataHash: part(6), flags },
  };
};

const metadataOf = ({ bytes, ...written }: WrittenMetadata): MetadataGroup => {
  const part = unpack(bytes);
  const { collectionVerified: verified, uses } = written;
  const creatorsAt = verified === null ? 1 : 2;
  return {
    seq: written.seq,
    slot: written.slot,
    dataHash: part(0),
    name: written.name,
    symbol: written.symbol,
    uri: written.uri,
    basisPoints: written.basisPoints,
    primarySaleHappened: written.primarySaleHappened,
    mutable: written.mutable,
    editionNonce: written.editionNonce,
    creators: written.creators.map(([isVerified, share], index) => ({
      address: part(creatorsAt + index),
      verified: isVerified,
      share,
    })),
    collection: verified === null ? null : { address: part(1), verified },
    uses: uses === null ? null : { ...uses, remaining: BigInt(uses.remaining), total: BigInt(uses.total) },
  };
};
