// Conversions between a leaf's state in memory and the text of it that stores keep.

import {
  type AddressBytes,
  type LeafState,
  type LedgerState,
  parseLeafState,
  writeLeafState,
} from "@lamplight/core";

/**
 * A ledger state that was folded here and still has what its text says: an asset is nearly always derived from what was
 * folded just before. A copy of it, changed or not, is read from its text like any other.
 */
class FoldedLeaf implements LedgerState {
  readonly kind = "leaf";
  readonly key: AddressBytes;
  readonly tree: AddressBytes;
  readonly state: string;
  readonly #leaf: LeafState;

  constructor(key: AddressBytes, leaf: LeafState) {
    this.key = key;
    this.tree = leaf.tree;
    this.state = writeLeafState(leaf);
    this.#leaf = leaf;
  }

  get leaf(): LeafState {
    return this.#leaf;
  }
}

export const leafStateOf = (ledger: LedgerState): LeafState =>
  ledger instanceof FoldedLeaf ? ledger.leaf : parseLeafState(ledger.tree, ledger.state);

export const ledgerOf = (key: AddressBytes, state: LeafState): LedgerState => new FoldedLeaf(key, state);
