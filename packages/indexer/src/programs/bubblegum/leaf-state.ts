import type { LeafMetadataV1 } from "@lamplight/codecs";
import type { Slot } from "@lamplight/core";

/** The sequence number and slot that identify one change of a tree. */
export interface Change {
  readonly seq: number;
  readonly slot: Slot;
}

/** The newest leaf with a schema; addresses and hashes of 32 bytes. */
export interface LeafGroup extends Change {
  readonly leafHash: Uint8Array;
  readonly assetOwner: Uint8Array;
  readonly delegate: Uint8Array;
  readonly dataHash: Uint8Array;
  readonly creatorHash: Uint8Array;
  /** Leaf schema V2 only. */
  readonly v2: {
    readonly collectionHash: Uint8Array;
    readonly assetDataHash: Uint8Array;
    readonly flags: number;
  } | null;
}

/** The newest change that left the leaf empty. */
export interface EndGroup extends Change {
  readonly kind: "burnt" | "redeemed";
}

/** The newest metadata proved against its leaf. */
export interface MetadataGroup
  extends Change, Omit<LeafMetadataV1, "version" | "encoded" | "tokenStandard" | "tokenProgramVersion"> {
  /** The data hash of the leaf that the metadata were proved against. They hold as long as the leaf carries it. */
  readonly dataHash: Uint8Array;
}

export interface LeafState {
  readonly tree: Uint8Array;
  readonly nonce: number;
  /** Config account of the tree, which governs the asset; null while only unknown instructions were seen. */
  readonly treeConfig: Uint8Array | null;
  readonly leaf: LeafGroup | null;
  readonly end: EndGroup | null;
  readonly metadata: MetadataGroup | null;
}
