import { deriveAssetId, emptyNode, rowAbove, type TreeTop } from "@lamplight/codecs";
import {
  type AddressBytes,
  type IndexReader,
  isLater,
  KEPT_LEVELS_APART,
  keptLevels,
  nodeOfLeaf,
  parseLeafState,
  type TreeNode,
} from "@lamplight/core";

interface TreeWalkOptions {
  readonly store: Pick<IndexReader, "readLedger">;
  readonly tree: AddressBytes;
  readonly top: TreeTop;
  readonly signal: AbortSignal;
  /**
   * Called with each node of a kept level; null = nothing was ever written below it. What it returns counts for the nodes
   * above.
   */
  readonly visit: (level: number, place: number, made: TreeNode | null) => Promise<TreeNode | null>;
}

/** Makes the nodes of one tree from its leaves, each after all that lie below it, so that few are in memory at a time. */
export class TreeWalk {
  readonly #options: TreeWalkOptions;
  #leaves = 0;

  constructor(options: TreeWalkOptions) {
    this.#options = options;
  }

  /** Number of leaves that were read. */
  get leaves(): number {
    return this.#leaves;
  }

  /** @returns the root; null where the signal aborted, in a tree without leaves, and in one without kept levels */
  async run(): Promise<TreeNode | null> {
    const { depth, leafCount } = this.#options.top;
    const highest = keptLevels(depth).at(-1);
    if (highest === undefined) return null;
    const tops = await this.#makeRow(highest, 0, Math.ceil(leafCount / 2 ** highest));
    return tops === null ? null : nodeAbove(tops, highest, depth - highest);
  }

  /** Null where the signal aborted: what is above an incomplete row would be wrong. */
  async #makeRow(level: number, from: number, used: number): Promise<readonly (TreeNode | null)[] | null> {
    const nodes: (TreeNode | null)[] = [];
    for (let place = from; place < from + used; place += 1) {
      const below = await this.#rowBelow(level, place);
      if (below === null) return null;
      const made = nodeAbove(below, level - KEPT_LEVELS_APART, KEPT_LEVELS_APART);
      nodes.push(await this.#options.visit(level, place, made));
    }
    return nodes;
  }

  async #rowBelow(level: number, place: number): Promise<readonly (TreeNode | null)[] | null> {
    const { signal, top } = this.#options;
    if (signal.aborted) return null;
    const below = level - KEPT_LEVELS_APART;
    const length = 2 ** KEPT_LEVELS_APART;
    const from = place * length;
    const used = Math.min(length, Math.ceil(top.leafCount / 2 ** below) - from);
    return below === 0 ? this.#readLeaves(from, used) : this.#makeRow(below, from, used);
  }

  async #readLeaves(from: number, used: number): Promise<readonly (TreeNode | null)[]> {
    const { store, tree, top } = this.#options;
    const ids = Array.from({ length: used }, (_, at) => deriveAssetId(tree, from + at));
    const states = await store.readLedger("leaf", ids);
    this.#leaves += used;
    return states.map((state) => {
      const node = state === null ? null : nodeOfLeaf(parseLeafState(state.tree, state.state));
      return node === null || node.slot < top.creationSlot ? null : node;
    });
  }
}

/** The node so many levels above a row of neighbors, with the newest change below it. */
const nodeAbove = (nodes: readonly (TreeNode | null)[], level: number, levels: number): TreeNode | null => {
  let newest: TreeNode | null = null;
  for (const node of nodes) if (node !== null && (newest === null || isLater(node, newest))) newest = node;
  if (newest === null) return null;
  let row: readonly Uint8Array[] = Array.from(
    { length: 2 ** levels },
    (_, at) => nodes[at]?.hash ?? emptyNode(level),
  );
  for (let up = 0; up < levels; up += 1) row = rowAbove(row, level + up);
  return { seq: newest.seq, slot: newest.slot, hash: row[0]! };
};
