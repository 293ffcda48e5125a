// Nodes of trees, and whether a store keeps them.

import type { AddressBytes } from "./address.ts";
import type { ChangeId, LeafState } from "./leaf-state.ts";
import { isLater } from "./leaf-state.ts";

/** A node of a tree, as its newest known change left it. */
export interface TreeNode extends ChangeId {
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

const emptyLeaf = new Uint8Array(32);

/** The node that a leaf is in its tree: its hash, or 32 zero bytes where it was emptied. Null where no change is known. */
export const nodeOfLeaf = ({ leaf, end }: Pick<LeafState, "leaf" | "end">): TreeNode | null => {
  if (end !== null && (leaf === null || !isLater(leaf, end))) return { ...changeOf(end), hash: emptyLeaf };
  return leaf === null ? null : { ...changeOf(leaf), hash: leaf.leafHash };
};

const changeOf = ({ seq, slot }: ChangeId): ChangeId => ({ seq, slot });

/** Whether a store keeps nodes, and how far those are filled that were there before. A compression state of kind `nodes`. */
export interface NodesState {
  /** Hex of the last tree whose nodes were filled, in the order of addresses; null before the first. */
  readonly after: string | null;
  /** Whether all trees were filled that were there when the store began to keep nodes. */
  readonly isFilled: boolean;
}

/** Its key. No tree and no block of nodes has it. */
export const nodesStateKey: AddressBytes = new Uint8Array(32);

export const writeNodesState = ({ after, isFilled }: NodesState): string =>
  `{"after":${after === null ? "null" : `"${after}"`},"isFilled":${isFilled}}`;

/** @param text - as `writeNodesState` gives it */
export const parseNodesState = (text: string): NodesState => JSON.parse(text) as NodesState;
