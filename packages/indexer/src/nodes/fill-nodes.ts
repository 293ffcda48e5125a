// Makes a store keep nodes of its trees, for proofs, and makes the nodes of trees that were there before from their leaves.

import { encodeAddress } from "@lamplight/codecs";
import {
  type AddressBytes,
  emptyChangeSet,
  type IndexStore,
  isLater,
  isTreeComplete,
  type LedgerState,
  type NodesState,
  parseTreeNode,
  parseTreeState,
  treeCoverageOf,
  type TreeNode,
  treeNodeKey,
  writeTreeNode,
} from "@lamplight/core";
import { NODES_PER_COMMIT_MAX, TREES_PER_PAGE } from "../engine/limits.ts";
import { allNodesKept, ledgerOfNodes, type NodesStore, readNodesState, readTop } from "./nodes-state.ts";
import { TreeWalk } from "./tree-walk.ts";

/** The store to be filled. No one else writes it in the meantime. */
type FilledStore = NodesStore & Pick<IndexStore, "commit">;

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
  store: FilledStore,
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

const commit = async (store: Pick<IndexStore, "commit">, ledger: readonly LedgerState[]): Promise<void> => {
  await store.commit({ ...emptyChangeSet, ledger });
};

/** Makes the nodes of one tree, and commits them. */
class TreeFill {
  readonly #store: FilledStore;
  readonly #tree: AddressBytes;
  readonly #isComplete: boolean;
  readonly #signal: AbortSignal;
  #made: LedgerState[] = [];

  constructor(store: FilledStore, tree: AddressBytes, isComplete: boolean, signal: AbortSignal) {
    this.#store = store;
    this.#tree = tree;
    this.#isComplete = isComplete;
    this.#signal = signal;
  }

  /** Returns the number of leaves. */
  async run(): Promise<number> {
    const [store, tree, signal] = [this.#store, this.#tree, this.#signal];
    const top = await readTop(store, tree);
    if (top === null) return 0;
    const visit = (level: number, place: number, made: TreeNode | null): Promise<TreeNode | null> =>
      this.#keep(level, place, made);
    const walk = new TreeWalk({ store, tree, top, signal, visit });
    await walk.run();
    await this.#write();
    return walk.leaves;
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
