// Makes a store keep nodes of its trees, for proofs, and makes the nodes of trees that were there before from their leaves.

import {
  deriveAssetId,
  emptyNode,
  encodeAddress,
  findTreeTop,
  rowAbove,
  type TreeTop,
} from "@lamplight/codecs";
import {
  type AddressBytes,
  emptyChangeSet,
  type IndexStore,
  isLater,
  isTreeComplete,
  KEPT_LEVELS_APART,
  keptLevels,
  type LedgerState,
  nodeOfLeaf,
  type NodesState,
  nodesStateKey,
  parseLeafState,
  parseNodesState,
  parseTreeNode,
  parseTreeState,
  treeCoverageOf,
  type TreeNode,
  treeNodeKey,
  writeTreeNode,
} from "@lamplight/core";
import { NODES_PER_COMMIT_MAX, TREES_PER_PAGE } from "../engine/limits.ts";
import { allNodesKept, ledgerOfNodes } from "./nodes-state.ts";

/** The store to be filled. No one else writes it in the meantime. */
export type NodesStore = Pick<IndexStore, "commit" | "readLedger" | "readAccountStates"> &
  Required<Pick<IndexStore, "readTrees">>;

export interface FillOptions {
  readonly signal: AbortSignal;
  /** Called after each tree with the number of leaves that were read so far. */
  readonly onTree?: (tree: AddressBytes, leaves: number) => void;
}

/** A run filled this. */
export interface NodesFilled {
  readonly trees: number;
  readonly leaves: number;
}

/**
 * From now on, the store keeps nodes of every tree that changes. Those of earlier changes are made from the leaves, tree by
 * tree. A run that was stopped goes on with the tree that it was at; after a complete one, a run makes all again. That mends
 * the nodes of a tree whose missing changes came after the run before.
 */
export const fillNodes = async (
  store: NodesStore,
  { signal, onTree = () => {} }: FillOptions,
): Promise<NodesFilled> => {
  const known = await readNodesState(store);
  let state: NodesState = known === null || known.isFilled ? { after: null, isFilled: false } : known;
  let [trees, leaves] = [0, 0];
  await commit(store, [ledgerOfNodes(state)]);
  while (!state.isFilled) {
    const after = state.after === null ? null : Buffer.from(state.after, "hex");
    const page = await store.readTrees(after, TREES_PER_PAGE);
    for (const { tree, state: treeState } of page) {
      const coverage = treeCoverageOf(encodeAddress(tree), parseTreeState(treeState));
      const fill = new TreeFill(store, tree, isTreeComplete(coverage), signal);
      leaves += await fill.run();
      if (signal.aborted) return { trees, leaves };
      trees += 1;
      state = { after: Buffer.from(tree).toString("hex"), isFilled: false };
      await commit(store, [ledgerOfNodes(state)]);
      onTree(tree, leaves);
    }
    if (page.length < TREES_PER_PAGE) state = { ...state, isFilled: true };
  }
  await commit(store, [ledgerOfNodes(state)]);
  return { trees, leaves };
};

/** A store that begins with it keeps nodes of all that comes, and has nothing to be filled. */
export const keepNodes = (store: Pick<IndexStore, "commit">): Promise<void> => commit(store, [allNodesKept]);

/** Null where the store keeps no nodes. */
const readNodesState = async (store: Pick<IndexStore, "readLedger">): Promise<NodesState | null> => {
  const [ledger] = await store.readLedger("node", [nodesStateKey]);
  return ledger === null || ledger === undefined ? null : parseNodesState(ledger.state);
};

const commit = async (store: Pick<IndexStore, "commit">, ledger: readonly LedgerState[]): Promise<void> => {
  await store.commit({ ...emptyChangeSet, ledger });
};

/** The nodes of one tree, each after all that lie below it, so that few are in memory at a time. */
class TreeFill {
  readonly #store: NodesStore;
  readonly #tree: AddressBytes;
  readonly #isComplete: boolean;
  readonly #signal: AbortSignal;
  #made: LedgerState[] = [];
  #leaves = 0;

  constructor(store: NodesStore, tree: AddressBytes, isComplete: boolean, signal: AbortSignal) {
    this.#store = store;
    this.#tree = tree;
    this.#isComplete = isComplete;
    this.#signal = signal;
  }

  /** Returns the number of leaves. A tree whose account is not known has no proofs, and needs no nodes. */
  async run(): Promise<number> {
    const [account] = await this.#store.readAccountStates([this.#tree]);
    const top = account ? findTreeTop(account.current.data) : null;
    const highest = top === null ? undefined : keptLevels(top.depth).at(-1);
    if (top === null || highest === undefined) return 0;
    const count = Math.ceil(top.leafCount / 2 ** highest);
    for (let place = 0; place < count; place += 1) await this.#make(top, highest, place);
    await this.#write();
    return this.#leaves;
  }

  /** The node of a kept level, from those of the kept level below it. Null where nothing was ever written there. */
  async #make(top: TreeTop, level: number, place: number): Promise<TreeNode | null> {
    const below = level - KEPT_LEVELS_APART;
    const length = 2 ** KEPT_LEVELS_APART;
    const from = place * length;
    const used = Math.min(length, Math.ceil(top.leafCount / 2 ** below) - from);
    const nodes: (TreeNode | null)[] = [];
    if (below === 0) nodes.push(...(await this.#readLeaves(top, from, used)));
    else
      for (let at = from; at < from + used && !this.#signal.aborted; at += 1)
        nodes.push(await this.#make(top, below, at));
    // What is above an incomplete row would be wrong.
    if (this.#signal.aborted) return null;
    return this.#keep(level, place, nodeAbove(nodes, below));
  }

  async #readLeaves({ creationSlot }: TreeTop, from: number, used: number): Promise<(TreeNode | null)[]> {
    const ids = Array.from({ length: used }, (_, at) => deriveAssetId(this.#tree, from + at));
    const states = await this.#store.readLedger("leaf", ids);
    this.#leaves += used;
    return states.map((state) => {
      const node = state === null ? null : nodeOfLeaf(parseLeafState(state.tree, state.state));
      return node === null || node.slot < creationSlot ? null : node;
    });
  }

  /**
   * A node that the change logs have left stays where it is not older: it also knows of leaves that are missing here. One of
   * the same change may be of a run before, when leaves were missing that are there now.
   */
  async #keep(level: number, place: number, made: TreeNode | null): Promise<TreeNode | null> {
    if (made === null) return null;
    const key = treeNodeKey(this.#tree, level, place);
    const [ledger] = await this.#store.readLedger("node", [key]);
    const known = ledger ? parseTreeNode(ledger.state) : null;
    const isKnownBetter = known !== null && (this.#isComplete ? isLater(known, made) : !isLater(made, known));
    if (isKnownBetter) return known;
    this.#made.push({ kind: "node", key, tree: this.#tree, state: writeTreeNode(made) });
    if (this.#made.length >= NODES_PER_COMMIT_MAX) await this.#write();
    return made;
  }

  async #write(): Promise<void> {
    const made = this.#made;
    this.#made = [];
    if (made.length > 0) await commit(this.#store, made);
  }
}

/** The node above a row of neighbors, with the newest change below it. */
const nodeAbove = (nodes: readonly (TreeNode | null)[], level: number): TreeNode | null => {
  let newest: TreeNode | null = null;
  for (const node of nodes) if (node !== null && (newest === null || isLater(node, newest))) newest = node;
  if (newest === null) return null;
  let row: readonly Uint8Array[] = Array.from(
    { length: 2 ** KEPT_LEVELS_APART },
    (_, at) => nodes[at]?.hash ?? emptyNode(level),
  );
  for (let up = 0; up < KEPT_LEVELS_APART; up += 1) row = rowAbove(row, level + up);
  return { seq: newest.seq, slot: newest.slot, hash: row[0]! };
};
