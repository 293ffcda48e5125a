// Merges changes of one compressed asset into its state. Each group of members keeps the newest change, so that changes
// may come in any order and any number of times. Sequence numbers compare changes of one life of the tree only: a tree
// that is closed and created again counts from 0 again, and its first leaves have the ids of former ones. So slots come
// first. Within a life both grow together.

import type { Leaf, LeafChange, LeafMetadata } from "@lamplight/codecs";
import {
  type ChangeId,
  isLater,
  type LeafGroup,
  type LeafState,
  type MetadataGroup,
  type Slot,
  writeEndGroup,
  writeLeafGroup,
  writeMetadataGroup,
} from "@lamplight/core";

/** The state that one change alone gives: views of the transaction's bytes, which live as long as the state. */
export const stateOfChange = (change: LeafChange, slot: Slot): LeafState => {
  const { outcome, seq } = change;
  const isLeaf = outcome.kind === "leaf";
  return {
    tree: change.tree,
    nonce: change.nonce,
    treeConfig: change.treeConfig,
    leaf: isLeaf ? leafGroup(seq, slot, outcome.leaf, outcome.leafHash) : null,
    end: isLeaf ? null : { seq, slot, kind: outcome.kind },
    metadata:
      isLeaf && change.metadata !== null
        ? metadataGroup(seq, slot, outcome.leaf.dataHash, change.metadata)
        : null,
  };
};

/** Both states in one: commutative, associative and idempotent. */
export const mergeLeafStates = (a: LeafState, b: LeafState): LeafState => ({
  tree: a.tree,
  nonce: a.nonce,
  treeConfig: a.treeConfig ?? b.treeConfig,
  leaf: newer(a.leaf, b.leaf, writeLeafGroup),
  end: newer(a.end, b.end, writeEndGroup),
  metadata: newer(a.metadata, b.metadata, writeMetadataGroup),
});

/** Slots that a fork can live. Beyond it, no conflict is reported; answers do not depend on it. */
const FORK_SLOTS_MAX = 4096;

/**
 * Whether both say something else about the same change of the tree: one of them was on a fork that died. Equal numbers
 * that are farther apart than any fork lives are of two lives of the tree.
 */
export const areInConflict = (a: LeafState, b: LeafState): boolean =>
  isSameChange(a.leaf, b.end) ||
  isSameChange(a.end, b.leaf) ||
  differ(a.leaf, b.leaf, writeLeafGroup) ||
  differ(a.end, b.end, writeEndGroup);

const isSameChange = (a: ChangeId | null, b: ChangeId | null): boolean =>
  a !== null && b !== null && a.seq === b.seq && Math.abs(a.slot - b.slot) <= FORK_SLOTS_MAX;

type Write<Group> = (group: Group) => string;

const differ = <Group extends ChangeId>(a: Group | null, b: Group | null, write: Write<Group>): boolean =>
  isSameChange(a, b) && write(a as Group) !== write(b as Group);

/** Equal changes come from forks: then any rule that all orders agree on. */
const newer = <Group extends ChangeId>(
  a: Group | null,
  b: Group | null,
  write: Write<Group>,
): Group | null => {
  if (a === null || b === null) return a ?? b;
  if (isLater(a, b)) return a;
  return isLater(b, a) || write(b) > write(a) ? b : a;
};

const leafGroup = (seq: number, slot: Slot, leaf: Leaf, leafHash: Uint8Array): LeafGroup => ({
  seq,
  slot,
  leafHash,
  assetOwner: leaf.assetOwner,
  delegate: leaf.delegate,
  dataHash: leaf.dataHash,
  creatorHash: leaf.creatorHash,
  v2:
    leaf.version === 1
      ? null
      : { collectionHash: leaf.collectionHash, assetDataHash: leaf.assetDataHash, flags: leaf.flags },
});

const metadataGroup = (
  seq: number,
  slot: Slot,
  dataHash: Uint8Array,
  metadata: LeafMetadata,
): MetadataGroup => ({
  seq,
  slot,
  dataHash,
  name: metadata.name,
  symbol: metadata.symbol,
  uri: metadata.uri,
  basisPoints: metadata.basisPoints,
  primarySaleHappened: metadata.primarySaleHappened,
  mutable: metadata.mutable,
  editionNonce: metadata.version === 1 ? metadata.editionNonce : null,
  creators: metadata.creators,
  collection: metadata.collection,
  uses: metadata.version === 1 ? metadata.uses : null,
});
