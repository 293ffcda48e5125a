// Makes a store keep nodes of its trees, for proofs, and makes the nodes of trees that were there before from their leaves.

import { encodeAddress, type TreeTop } from "@lamplight/codecs";
import {
  type AddressBytes,
  emptyChangeSet,
  type IndexStore,
  isLater,
  isTreeComplete,
  type LedgerState,
  NodeBlock,
  nodeBlockKey,
  type NodesState,
  parseTreeState,
  type Slot,
  treeCoverageOf,
  type TreeNode,
} from "@lamplight/core";
import { BLOCKS_PER_COMMIT_MAX, TREES_PER_PAGE } from "../engine/limits.ts";
import {
  allNodesKept,
  ledgerOfNodes,
  type NodesStore,
  readNodesState,
  readTop,
  unfilledNodes,
} from "./nodes-state.ts";
import { type MadeBlock, type NodeRow, rowsOf, TreeWalk } from "./tree-walk.ts";

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
      const top = await inTurn(() => readTop(store, tree));
      const isComplete = isTreeComplete(coverage);
      if (top !== null) leaves += await new TreeFill({ store, tree, isComplete, signal, slots }, top).run();
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

/** A block that was made, on its way into the store. */
interface KeyedBlock extends MadeBlock {
  readonly key: AddressBytes;
}

interface TreeFillOptions {
  readonly store: FilledStore;
  readonly tree: AddressBytes;
  /** Whether no change of the tree is missing. */
  readonly isComplete: boolean;
  readonly signal: AbortSignal;
  readonly slots: SlotWriter;
}

/** Makes the nodes of one tree, and commits them. */
class TreeFill {
  readonly #options: TreeFillOptions;
  readonly #top: TreeTop;
  #made: KeyedBlock[] = [];

  constructor(options: TreeFillOptions, top: TreeTop) {
    this.#options = options;
    this.#top = top;
  }

  /** Returns the number of leaves. */
  async run(): Promise<number> {
    const { store, tree, signal, slots } = this.#options;
    const walk = new TreeWalk({
      store: { readLedger: (kind, keys) => slots.inTurn(() => store.readLedger(kind, keys)) },
      tree,
      top: this.#top,
      signal,
      visit: (block) => this.#keep(block),
    });
    await walk.run();
    await this.#write();
    return walk.leaves;
  }

  async #keep(made: MadeBlock): Promise<readonly NodeRow[]> {
    const { store, tree, slots } = this.#options;
    const key = nodeBlockKey(tree, made.level, made.place);
    const [known = null] = await slots.inTurn(() => store.readLedger("nodes", [key]));
    this.#made.push({ ...made, key });
    if (this.#made.length >= BLOCKS_PER_COMMIT_MAX) await this.#write();
    return this.#bestOf(made, known);
  }

  /** Slots may have been written since the blocks were made: what these left stays. */
  async #write(): Promise<void> {
    const { store, tree, slots } = this.#options;
    const made = this.#made;
    this.#made = [];
    if (made.length === 0) return;
    await slots.inTurn(async () => {
      const found = await store.readLedger(
        "nodes",
        made.map(({ key }) => key),
      );
      const ledger = made.map((block, index): LedgerState => {
        const state = NodeBlock.of(this.#bestOf(block, found[index] ?? null)).write();
        return { kind: "nodes", key: block.key, tree, state };
      });
      await commit(
        store,
        ledger.filter(({ state }, index) => state !== (found[index]?.state ?? emptyBlock)),
      );
    });
  }

  #bestOf(made: MadeBlock, ledger: LedgerState | null): readonly NodeRow[] {
    const block = ledger === null ? null : NodeBlock.parse(ledger.state);
    return rowsOf(made, this.#top.depth, (up, place, node) =>
      this.#better(node, block?.nodeAt(up, place) ?? null),
    );
  }

  /**
   * Chooses between a node that was made and the kept one. A change log knows more where leaves are missing here, so its
   * node stays unless it is older. The node of a slot after `since` is right in any case: some leaves may have been read
   * before that slot.
   */
  #better(made: TreeNode | null, known: TreeNode | null): TreeNode | null {
    if (known === null || known.slot < this.#top.creationSlot) return made;
    const knewMore = !this.#options.isComplete && (made === null || !isLater(made, known));
    return knewMore || known.slot > this.#options.slots.since ? known : made;
  }
}

const emptyBlock = NodeBlock.empty().write();
