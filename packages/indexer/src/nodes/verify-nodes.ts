// Compares the nodes that a store keeps of its trees, for proofs, with those that the leaves give.

import { encodeAddress, sameBytes, type TreeTop } from "@lamplight/codecs";
import {
  type AddressBytes,
  isTreeComplete,
  NodeBlock,
  nodeBlockKey,
  type NodesState,
  parseTreeState,
  treeCoverageOf,
  type TreeNode,
} from "@lamplight/core";
import { DIFFERENCES_LISTED_MAX, TREES_PER_PAGE } from "../engine/limits.ts";
import { type NodesStore, readNodesState, readTop } from "./nodes-state.ts";
import { type MadeBlock, type NodeRow, rowsOf, TreeWalk } from "./tree-walk.ts";

export interface NodesReport {
  /** Trees with wrong nodes, in words, a tree each; empty = none. */
  readonly problems: readonly string[];
  /** Whether nodes of some trees are still to be filled: their leaves were hashed, and nodes were not compared. */
  readonly isUnfilled: boolean;
}

/**
 * Hashes every tree again whose changes are all there, and compares its nodes where these are filled. A store that keeps no
 * nodes has nothing to be compared.
 *
 * @param store - no one writes it in the meantime
 * @param onProgress - called after each tree with the number of leaves that were hashed so far
 */
export const verifyNodes = async (
  store: NodesStore,
  onProgress: (leaves: number) => void = () => {},
): Promise<NodesReport> => {
  const state = await readNodesState(store);
  if (state === null) return { problems: [], isUnfilled: false };
  const isUnfilled = !state.isFilled;
  const problems: string[] = [];
  let leaves = 0;
  let after: AddressBytes | null = null;
  for (;;) {
    const page = await store.readTrees(after, TREES_PER_PAGE);
    for (const { tree, state: treeState } of page) {
      const coverage = treeCoverageOf(encodeAddress(tree), parseTreeState(treeState));
      const top = isTreeComplete(coverage) ? await readTop(store, tree) : null;
      if (top === null) continue;
      const check = await checkTree(store, tree, top, hasNodes(state, tree));
      leaves += check.leaves;
      if (check.problem !== null) problems.push(check.problem);
      onProgress(leaves);
    }
    after = page.at(-1)?.tree ?? null;
    if (page.length < TREES_PER_PAGE) return { problems: listed(problems), isUnfilled };
  }
};

/** Trees are filled in the order in which they are read. */
const hasNodes = ({ isFilled, after }: NodesState, tree: AddressBytes): boolean =>
  isFilled || (after !== null && Buffer.compare(tree, Buffer.from(after, "hex")) <= 0);

const listed = (problems: readonly string[]): readonly string[] => {
  const more = problems.length - DIFFERENCES_LISTED_MAX;
  return more <= 0
    ? problems
    : [...problems.slice(0, DIFFERENCES_LISTED_MAX), `and ${more} trees more have wrong nodes`];
};

interface TreeFinding {
  readonly leaves: number;
  readonly problem: string | null;
}

const checkTree = async (
  store: NodesStore,
  tree: AddressBytes,
  top: TreeTop,
  isFilled: boolean,
): Promise<TreeFinding> => {
  let wrong = 0;
  const visit = async (made: MadeBlock): Promise<readonly NodeRow[]> => {
    if (!isFilled) return rowsOf(made, top.depth);
    const [ledger] = await store.readLedger("nodes", [nodeBlockKey(tree, made.level, made.place)]);
    const block = ledger ? NodeBlock.parse(ledger.state) : null;
    return rowsOf(made, top.depth, (up, place, node) => {
      const kept = block?.nodeAt(up, place) ?? null;
      if (!isSameNode(node, kept === null || kept.slot < top.creationSlot ? null : kept)) wrong += 1;
      return node;
    });
  };
  const { signal } = new AbortController();
  const walk = new TreeWalk({ store, tree, top, signal, visit });
  const made = await walk.run();
  const name = `tree ${encodeAddress(tree)}`;
  const { leaves } = walk;
  if (made !== null && !sameBytes(made.hash, top.merkleRoot))
    return { leaves, problem: `${name}: its leaves do not give the root of its account` };
  if (wrong === 0) return { leaves, problem: null };
  return { leaves, problem: `${name}: ${wrong} of its nodes are wrong; run lamplight index add das` };
};

const isSameNode = (one: TreeNode | null, other: TreeNode | null): boolean =>
  one === null || other === null ? one === other : sameBytes(one.hash, other.hash);
