// The folded state of one compressed asset. Each group of members keeps the change with the highest sequence number
// of its tree, so that changes may come in any order and any number of times.

import type { Leaf, LeafChange, LeafMetadata } from "@lamplight/codecs";
import { encodeAddress } from "@lamplight/codecs";
import type { Slot } from "@lamplight/core";

/** What sets one change of a tree apart from another. */
interface Change {
  readonly seq: number;
  readonly slot: Slot;
}

/** The newest leaf with a schema; addresses and hashes as base58 text. */
export interface LeafGroup extends Change {
  readonly leafHash: string;
  readonly assetOwner: string;
  readonly delegate: string;
  readonly dataHash: string;
  readonly creatorHash: string;
  /** Leaf schema V2 only. */
  readonly v2: {
    readonly collectionHash: string;
    readonly assetDataHash: string;
    readonly flags: number;
  } | null;
}

/** The newest change that left the leaf empty. */
export interface EndGroup extends Change {
  readonly kind: "burnt" | "redeemed";
}

/** The newest metadata proved against its leaf. */
export interface MetadataGroup extends Change {
  /** Of the leaf they were proved against: they hold as long as the leaf carries it. */
  readonly dataHash: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly basisPoints: number;
  readonly primarySaleHappened: boolean;
  readonly mutable: boolean;
  readonly editionNonce: number | null;
  readonly creators: readonly {
    readonly address: string;
    readonly verified: boolean;
    readonly share: number;
  }[];
  readonly collection: { readonly address: string; readonly verified: boolean } | null;
  /** `remaining` and `total` as decimal text. */
  readonly uses: { readonly method: number; readonly remaining: string; readonly total: string } | null;
}

export interface LeafState {
  readonly tree: string;
  readonly nonce: number;
  /** Config account of the tree, which governs the asset; null while only unknown instructions were seen. */
  readonly treeConfig: string | null;
  readonly leaf: LeafGroup | null;
  readonly end: EndGroup | null;
  readonly metadata: MetadataGroup | null;
}

/** @param text - as `writeLeafState` gives it */
export const parseLeafState = (text: string): LeafState => JSON.parse(text) as LeafState;

/** One text for one state: members in fixed order. */
export const writeLeafState = (state: LeafState): string => JSON.stringify(state);

/** The state that one change alone gives. */
export const stateOfChange = (change: LeafChange, slot: Slot): LeafState => {
  const at: Change = { seq: change.seq, slot };
  const { outcome } = change;
  return {
    tree: encodeAddress(change.tree),
    nonce: change.nonce,
    treeConfig: change.treeConfig === null ? null : encodeAddress(change.treeConfig),
    leaf: outcome.kind === "leaf" ? leafGroup(at, outcome.leaf, outcome.leafHash) : null,
    end: outcome.kind === "leaf" ? null : { ...at, kind: outcome.kind },
    metadata:
      outcome.kind === "leaf" && change.metadata !== null
        ? metadataGroup(at, outcome.leaf, change.metadata)
        : null,
  };
};

/** Both states in one: commutative, associative and idempotent. */
export const mergeLeafStates = (a: LeafState, b: LeafState): LeafState => ({
  tree: a.tree,
  nonce: a.nonce,
  treeConfig: a.treeConfig ?? b.treeConfig,
  leaf: newer(a.leaf, b.leaf),
  end: newer(a.end, b.end),
  metadata: newer(a.metadata, b.metadata),
});

/** Whether both say something else about the same change of the tree: one of them was on a fork that died. */
export const areInConflict = (a: LeafState, b: LeafState): boolean =>
  [a.leaf, a.end].some(
    (left) =>
      left !== null &&
      [b.leaf, b.end].some((right) => right?.seq === left.seq && textOf(right) !== textOf(left)),
  );

/** Equal sequence numbers come from forks: the later slot counts, and then any rule that all orders agree on. */
const newer = <Group extends Change>(a: Group | null, b: Group | null): Group | null => {
  if (a === null || b === null) return a ?? b;
  if (a.seq !== b.seq) return a.seq > b.seq ? a : b;
  if (a.slot !== b.slot) return a.slot > b.slot ? a : b;
  return textOf(a) >= textOf(b) ? a : b;
};

const textOf = (group: Change): string => JSON.stringify(group);

const leafGroup = (at: Change, leaf: Leaf, leafHash: Uint8Array): LeafGroup => ({
  ...at,
  leafHash: encodeAddress(leafHash),
  assetOwner: encodeAddress(leaf.assetOwner),
  delegate: encodeAddress(leaf.delegate),
  dataHash: encodeAddress(leaf.dataHash),
  creatorHash: encodeAddress(leaf.creatorHash),
  v2:
    leaf.version === 1
      ? null
      : {
          collectionHash: encodeAddress(leaf.collectionHash),
          assetDataHash: encodeAddress(leaf.assetDataHash),
          flags: leaf.flags,
        },
});

const metadataGroup = (at: Change, leaf: Leaf, metadata: LeafMetadata): MetadataGroup => ({
  ...at,
  dataHash: encodeAddress(leaf.dataHash),
  name: metadata.name,
  symbol: metadata.symbol,
  uri: metadata.uri,
  basisPoints: metadata.basisPoints,
  primarySaleHappened: metadata.primarySaleHappened,
  mutable: metadata.mutable,
  editionNonce: metadata.version === 1 ? metadata.editionNonce : null,
  creators: metadata.creators.map(({ address, verified, share }) => ({
    address: encodeAddress(address),
    verified,
    share,
  })),
  collection:
    metadata.collection === null
      ? null
      : { address: encodeAddress(metadata.collection.address), verified: metadata.collection.verified },
  uses: metadata.version === 1 && metadata.uses !== null ? usesOf(metadata.uses) : null,
});

const usesOf = (uses: {
  readonly method: number;
  readonly remaining: bigint;
  readonly total: bigint;
}): MetadataGroup["uses"] => ({
  method: uses.method,
  remaining: String(uses.remaining),
  total: String(uses.total),
});
