// Nodes of trees between leaves and root, from which proofs are made. Stores keep those of every fifth level only: the
// nodes below are hashed again from the leaves, and those between from the kept ones.

import { keccak256 } from "@lamplight/codecs";
import type { AddressBytes } from "./address.ts";
import type { ChangeId, LeafState } from "./leaf-state.ts";
import { isLater } from "./leaf-state.ts";

/**
 * Levels from one kept level to the next. A proof reads 2^5 nodes of each, and hashes as many. Fewer levels would make
 * proofs cheaper, and store more nodes with each change.
 */
export const KEPT_LEVELS_APART = 5;

/** A node of a tree, as its newest known change left it. */
export interface TreeNode extends ChangeId {
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** The levels whose nodes are kept, lowest first; 0 would be the leaves. */
export const keptLevels = (depth: number): readonly number[] => {
  const levels: number[] = [];
  for (let level = KEPT_LEVELS_APART; level < depth; level += KEPT_LEVELS_APART) levels.push(level);
  return levels;
};

/**
 * The key of a node's compression state.
 *
 * @param place - number of the node on its level, from the left
 */
export const treeNodeKey = (tree: AddressBytes, level: number, place: number): AddressBytes =>
  keccak256(tree, Uint8Array.of(level, place & 255, (place >>> 8) & 255, (place >>> 16) & 255, place >>> 24));

export const writeTreeNode = ({ seq, slot, hash }: TreeNode): string =>
  `{"seq":${seq},"slot":${slot},"hash":"${Buffer.from(hash).toString("base64")}"}`;

/** @param text - as `writeTreeNode` gives it */
export const parseTreeNode = (text: string): TreeNode => {
  const { hash, ...change } = JSON.parse(text) as ChangeId & { readonly hash: string };
  return { ...change, hash: Buffer.from(hash, "base64") };
};

const emptyLeaf = new Uint8Array(32);

/** The node that a leaf is in its tree: its hash, or 32 zero bytes where it was emptied. Null where no change is known. */
export const nodeOfLeaf = ({ leaf, end }: Pick<LeafState, "leaf" | "end">): TreeNode | null => {
  if (end !== null && (leaf === null || !isLater(leaf, end))) return { ...changeOf(end), hash: emptyLeaf };
  return leaf === null ? null : { ...changeOf(leaf), hash: leaf.leafHash };
};

const changeOf = ({ seq, slot }: ChangeId): ChangeId => ({ seq, slot });

/** Whether a store keeps nodes, and how far those are filled that were there before. A compression state of kind `node`. */
export interface NodesState {
  /** Hex of the last tree whose nodes were filled, in the order of addresses; null before the first. */
  readonly after: string | null;
  /** Whether all trees were filled that were there when the store began to keep nodes. */
  readonly isFilled: boolean;
}

/** Its key. No tree and no node has it. */
export const nodesStateKey: AddressBytes = new Uint8Array(32);

export const writeNodesState = ({ after, isFilled }: NodesState): string =>
  `{"after":${after === null ? "null" : `"${after}"`},"isFilled":${isFilled}}`;

/** @param text - as `writeNodesState` gives it */
export const parseNodesState = (text: string): NodesState => JSON.parse(text) as NodesState;
