import type { LeafMetadataV1 } from "@lamplight/codecs";
import type { Slot } from "./address.ts";

/** The sequence number and slot that identify one change of a tree. */
export interface ChangeId {
  readonly seq: number;
  readonly slot: Slot;
}

/** Whether change `a` was made after change `b`. */
export const isLater = (a: ChangeId, b: ChangeId): boolean =>
  a.slot > b.slot || (a.slot === b.slot && a.seq > b.seq);

/** The newest leaf with a schema; addresses and hashes of 32 bytes. */
export interface LeafGroup extends ChangeId {
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
export interface EndGroup extends ChangeId {
  readonly kind: "burnt" | "redeemed";
}

/** The newest metadata proved against its leaf. */
export interface MetadataGroup
  extends ChangeId, Omit<LeafMetadataV1, "version" | "encoded" | "tokenStandard" | "tokenProgramVersion"> {
  /** The data hash of the leaf that the metadata were proved against. They hold as long as the leaf carries it. */
  readonly dataHash: Uint8Array;
}

/** All that is known of one leaf of a tree, merged from transactions. */
export interface LeafState {
  readonly tree: Uint8Array;
  readonly nonce: number;
  /** Config account of the tree, which governs the asset; null while only unknown instructions were seen. */
  readonly treeConfig: Uint8Array | null;
  readonly leaf: LeafGroup | null;
  readonly end: EndGroup | null;
  readonly metadata: MetadataGroup | null;
}
