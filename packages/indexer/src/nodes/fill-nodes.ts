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
  type Slot,
  treeCoverageOf,
  type TreeNode,
  treeNodeKey,
  writeTreeNode,
} from "@lamplight/core";
import { NODES_PER_COMMIT_MAX, TREES_PER_PAGE } from "../engine/limits.ts";
import {
  allNodesKept,
  ledgerOfNodes,
  type NodesStore,
  readNodesState,
  readTop,
  unfilledNodes,
} from "./nodes-state.ts";
import { TreeWalk } from "./tree-walk.ts";

type FilledStore = NodesStore & Pick<IndexStore, "commit">;

/** A process that writes the same store slot by slot. */
export interface SlotWriter {
  /** Does some work while no slot is derived or written. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Its slots up to this one are in the store. It keeps the nodes of all slots after this one. */
  readonly since: Slot;
}

export interface FillOptions {
  readonly signal: AbortSignal;
  /** Called after each tree with the number of leaves that were read so far. */
  readonly onTree?: (tree: AddressBytes, leaves: number) => void;
  /** Default: nothing else writes the store. */
  readonly slots?: SlotWriter;
}

const noOther: SlotWriter = { inTurn: (work) => work(), since: Number.MAX_SAFE_INTEGER };

/** A run filled this. */
export interface NodesFilled {
  readonly trees: number;
  readonly leaves: number;
}

/**
 * From now on, the store keeps nodes of every tree that changes, and those of earlier changes are to be filled. A filling
 * that was stopped goes on, and a complete one begins again.
 */
export const beginNodes = async (store: FilledStore): Promise<void> => {
  if (!(await hasUnfilledNodes(store))) await commit(store, [ledgerOfNodes(unfilledNodes)]);
};

/** Whether nodes are kept, and some are still to be filled. */
export const hasUnfilledNodes = async (store: Pick<IndexStore, "readLedger">): Promise<boolean> =>
  (await readNodesState(store))?.isFilled === false;

/**
 * Makes the nodes of all trees from their leaves, tree by tree, after `beginNodes`. A run that was stopped goes on with the
 * tree that it was at. Another run after a complete one mends the nodes of a tree whose missing changes came in between.
 */
export const fillNodes = async (
  store: FilledStore,
  { signal, onTree = () => {}, slots = noOther }: FillOptions,
): Promise<NodesFilled> => {
  const { inTurn } = slots;
  const noteState = (state: NodesState): Promise<void> => inTurn(() => commit(store, [ledgerOfNodes(state)]));
  let state = (await inTurn(() => readNodesState(store))) ?? unfilledNodes;
  let [trees, leaves] = [0, 0];
  while (!state.isFilled) {
    const after = state.after === null ? null : Buffer.from(state.after, "hex");
    const page = await inTurn(() => store.readTrees(after, TREES_PER_PAGE));
    for (const { tree, state: treeState } of page) {
      const coverage = treeCoverageOf(encodeAddress(tree), parseTreeState(treeState));
      const fill = new TreeFill(store, tree, isTreeComplete(coverage), { signal, slots });
      leaves += await fill.run();
      if (signal.aborted) return { trees, leaves };
      trees += 1;
      state = { after: Buffer.from(tree).toString("hex"), isFilled: false };
      await noteState(state);
      onTree(tree, leaves);
    }
    if (page.length < TREES_PER_PAGE) state = { ...state, isFilled: true };
  }
  await noteState(state);
  return { trees, leaves };
};

/** A store that begins with it keeps nodes of all that comes, and has nothing to be filled. */
export const keepNodes = (store: Pick<IndexStore, "commit">): Promise<void> => commit(store, [allNodesKept]);

const commit = async (store: Pick<IndexStore, "commit">, ledger: readonly LedgerState[]): Promise<void> => {
  await store.commit({ ...emptyChangeSet, ledger });
};

/** A node that was made, on its way into the store. */
interface MadeNode extends TreeNode {
  readonly key: AddressBytes;
}

/** Makes the nodes of one tree, and commits them. */
class TreeFill {
  readonly #store: FilledStore;
  readonly #tree: AddressBytes;
  readonly #isComplete: boolean;
  readonly #options: Required<Pick<FillOptions, "signal" | "slots">>;
  #made: MadeNode[] = [];

  constructor(
    store: FilledStore,
    tree: AddressBytes,
    isComplete: boolean,
    options: Required<Pick<FillOptions, "signal" | "slots">>,
  ) {
    this.#store = store;
    this.#tree = tree;
    this.#isComplete = isComplete;
    this.#options = options;
  }

  /** Returns the number of leaves. */
  async run(): Promise<number> {
    const [store, tree] = [this.#store, this.#tree];
    const { signal, slots } = this.#options;
    const top = await slots.inTurn(() => readTop(store, tree));
    if (top === null) return 0;
    const walk = new TreeWalk({
      store: { readLedger: (kind, keys) => slots.inTurn(() => store.readLedger(kind, keys)) },
      tree,
      top,
      signal,
      visit: (level, place, made) => this.#keep(level, place, made),
    });
    await walk.run();
    await this.#write();
    return walk.leaves;
  }

  async #keep(level: number, place: number, made: TreeNode | null): Promise<TreeNode | null> {
    if (made === null) return null;
    const key = treeNodeKey(this.#tree, level, place);
    const [ledger] = await this.#options.slots.inTurn(() => this.#store.readLedger("node", [key]));
    const known = this.#betterThan(made, ledger);
    if (known !== null) return known;
    this.#made.push({ ...made, key });
    if (this.#made.length >= NODES_PER_COMMIT_MAX) await this.#write();
    return made;
  }

  /** Slots may have been written since the nodes were made: what these left stays. */
  async #write(): Promise<void> {
    const made = this.#made;
    this.#made = [];
    if (made.length === 0) return;
    const tree = this.#tree;
    await this.#options.slots.inTurn(async () => {
      const known = await this.#store.readLedger(
        "node",
        made.map(({ key }) => key),
      );
      const missing = made.filter((node, index) => this.#betterThan(node, known[index]) === null);
      const ledger = missing.map(({ key, ...node }): LedgerState => ({
        kind: "node",
        key,
        tree,
        state: writeTreeNode(node),
      }));
      await commit(this.#store, ledger);
    });
  }

  /**
   * The node in the store, where it stays; else null. Where leaves are missing here, a change log knew more, so its node
   * stays unless it is older. The node of a slot after `since` is right in any case: some leaves may have been read before
   * that slot.
   */
  #betterThan(made: TreeNode, ledger: LedgerState | null | undefined): TreeNode | null {
    const known = ledger ? parseTreeNode(ledger.state) : null;
    if (known === null) return null;
    const knewMore = !this.#isComplete && !isLater(made, known);
    return knewMore || known.slot > this.#options.slots.since ? known : null;
  }
}
