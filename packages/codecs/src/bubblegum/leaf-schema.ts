import { findApplicationData } from "../account-compression/application-data.ts";
import { BorshReader } from "../borsh/borsh-reader.ts";

const LEAF_SCHEMA_EVENT = 1;
const VERSION_END = 2;
/** By leaf schema: kind of event, version, schema, leaf and its hash. */
const eventBytes = [3 + 5 * 32 + 8 + 32, 3 + 7 * 32 + 8 + 1 + 32];

interface LeafBase {
  readonly assetId: Uint8Array;
  readonly assetOwner: Uint8Array;
  /** Equal to the owner when no one is delegated. */
  readonly delegate: Uint8Array;
  /** Position in the tree; wire `leaf_id`. */
  readonly nonce: number;
  readonly dataHash: Uint8Array;
  readonly creatorHash: Uint8Array;
}

export interface LeafV1 extends LeafBase {
  readonly version: 1;
}

export interface LeafV2 extends LeafBase {
  readonly version: 2;
  readonly collectionHash: Uint8Array;
  readonly assetDataHash: Uint8Array;
  /** See `leafFlags`. */
  readonly flags: number;
}

/** All that a tree knows of an asset, hashed into one leaf. */
export type Leaf = LeafV1 | LeafV2;

/** Bits of `flags` of a V2 leaf. */
export const leafFlags = {
  frozenByDelegate: 1,
  frozenByPermanentDelegate: 2,
  nonTransferable: 4,
} as const;

/** A leaf as its program announced it, with the hash it claims. */
export interface LeafEvent {
  readonly leaf: Leaf;
  readonly leafHash: Uint8Array;
}

/** Decodes a noop payload as a leaf event; null when it is something else. */
export const findLeafEvent = (data: Uint8Array): LeafEvent | null => {
  const published = findApplicationData(data);
  if (published === null || published[0] !== LEAF_SCHEMA_EVENT) return null;
  const reader = new BorshReader("leaf event", published, 2);
  if ((published[1] ?? VERSION_END) >= VERSION_END || published.length !== eventBytes[published[2] ?? 2])
    return null;
  try {
    return { leaf: readLeaf(reader), leafHash: reader.bytes(32) };
  } catch {
    return null;
  }
};

const readLeaf = (reader: BorshReader): Leaf => {
  const variant = reader.u8();
  if (variant > 1) reader.fail(`unknown leaf schema ${variant}`);
  const base: LeafBase = {
    assetId: reader.key(),
    assetOwner: reader.key(),
    delegate: reader.key(),
    nonce: reader.counter("nonce"),
    dataHash: reader.bytes(32),
    creatorHash: reader.bytes(32),
  };
  if (variant === 0) return { version: 1, ...base };
  return {
    version: 2,
    ...base,
    collectionHash: reader.bytes(32),
    assetDataHash: reader.bytes(32),
    flags: reader.u8(),
  };
};
