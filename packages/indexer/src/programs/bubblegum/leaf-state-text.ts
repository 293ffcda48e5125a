// A leaf's state as a store keeps it: JSON text, addresses and hashes as base64. One text for one state: members in
// fixed order. Written by hand because it is on the way of every leaf event, and read only when a leaf comes again.

import type { LeafCreator } from "@lamplight/codecs";
import type { LedgerState } from "@lamplight/core";
import type { EndGroup, LeafGroup, LeafState, MetadataGroup } from "./leaf-state.ts";

export const writeLeafState = ({ nonce, treeConfig, leaf, end, metadata }: LeafState): string =>
  `{"nonce":${nonce},"treeConfig":${treeConfig === null ? "null" : bytesText(treeConfig)}` +
  `,"leaf":${leaf === null ? "null" : writeLeafGroup(leaf)}` +
  `,"end":${end === null ? "null" : writeEndGroup(end)}` +
  `,"metadata":${metadata === null ? "null" : writeMetadataGroup(metadata)}}`;

/** What a leaf is hashed of, in one text: seven short ones cost several times as much. */
export const writeLeafGroup = ({ v2, ...leaf }: LeafGroup): string => {
  packed.set(leaf.leafHash, 0);
  packed.set(leaf.assetOwner, 32);
  packed.set(leaf.delegate, 64);
  packed.set(leaf.dataHash, 96);
  packed.set(leaf.creatorHash, 128);
  if (v2 !== null) {
    packed.set(v2.collectionHash, v1Bytes);
    packed.set(v2.assetDataHash, v1Bytes + 32);
  }
  const bytes = packed.toString("base64", 0, v2 === null ? v1Bytes : v2Bytes);
  return `{"seq":${leaf.seq},"slot":${leaf.slot},"bytes":"${bytes}","flags":${v2 === null ? "null" : v2.flags}}`;
};

const v1Bytes = 160;
const v2Bytes = 224;
const packed = Buffer.alloc(v2Bytes);

export const writeEndGroup = ({ seq, slot, kind }: EndGroup): string =>
  `{"seq":${seq},"slot":${slot},"kind":"${kind}"}`;

export const writeMetadataGroup = (metadata: MetadataGroup): string =>
  `{"seq":${metadata.seq},"slot":${metadata.slot},"dataHash":${bytesText(metadata.dataHash)}` +
  `,"name":${JSON.stringify(metadata.name)},"symbol":${JSON.stringify(metadata.symbol)}` +
  `,"uri":${JSON.stringify(metadata.uri)},"basisPoints":${metadata.basisPoints}` +
  `,"primarySaleHappened":${metadata.primarySaleHappened},"mutable":${metadata.mutable}` +
  `,"editionNonce":${metadata.editionNonce},"creators":${creatorsText(metadata.creators)}` +
  `,"collection":${collectionText(metadata)},"uses":${usesText(metadata)}}`;

const creatorsText = (creators: readonly LeafCreator[]): string => {
  let text = "";
  for (const { address, verified, share } of creators)
    text += `${text === "" ? "" : ","}{"address":${bytesText(address)},"verified":${verified},"share":${share}}`;
  return `[${text}]`;
};

const collectionText = ({ collection }: MetadataGroup): string =>
  collection === null
    ? "null"
    : `{"address":${bytesText(collection.address)},"verified":${collection.verified}}`;

/** Counters as decimal text: they may pass what a JSON number holds exactly. */
const usesText = ({ uses }: MetadataGroup): string =>
  uses === null
    ? "null"
    : `{"method":${uses.method},"remaining":"${uses.remaining}","total":"${uses.total}"}`;

const bytesText = ({ buffer, byteOffset, length }: Uint8Array): string =>
  `"${Buffer.from(buffer, byteOffset, length).toString("base64")}"`;

/** @param ledger - its text as `writeLeafState` gives it */
export const parseLeafState = ({ tree, state: text }: LedgerState): LeafState => {
  const { nonce, treeConfig, leaf, end, metadata } = JSON.parse(text, revive) as WrittenState;
  return { tree, nonce, treeConfig, leaf: leaf === null ? null : unpackLeaf(leaf), end, metadata };
};

type WrittenState = Omit<LeafState, "tree" | "leaf"> & { readonly leaf: WrittenLeaf | null };

interface WrittenLeaf {
  readonly seq: number;
  readonly slot: number;
  readonly bytes: Uint8Array;
  readonly flags: number | null;
}

const unpackLeaf = ({ seq, slot, bytes, flags }: WrittenLeaf): LeafGroup => {
  const at = (start: number): Uint8Array => bytes.subarray(start, start + 32);
  return {
    seq,
    slot,
    leafHash: at(0),
    assetOwner: at(32),
    delegate: at(64),
    dataHash: at(96),
    creatorHash: at(128),
    v2: flags === null ? null : { collectionHash: at(v1Bytes), assetDataHash: at(v1Bytes + 32), flags },
  };
};

/** Members that hold bytes, in whatever group. */
const bytesMembers: ReadonlySet<string> = new Set(["treeConfig", "bytes", "dataHash", "address"]);
const u64Members: ReadonlySet<string> = new Set(["remaining", "total"]);

const revive = (name: string, value: unknown): unknown => {
  if (typeof value !== "string") return value;
  if (bytesMembers.has(name)) return new Uint8Array(Buffer.from(value, "base64"));
  return u64Members.has(name) ? BigInt(value) : value;
};
