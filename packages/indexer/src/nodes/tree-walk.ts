import { deriveAssetId, emptyNode, hashNodes, type TreeTop } from "@lamplight/codecs";
import {
  BLOCK_LEVELS,
  BLOCK_WIDTH,
  blockLevels,
  type IndexReader,
  type AddressBytes,
  isLater,
  nodeOfLeaf,
  parseLeafState,
  type TreeNode,
} from "@lamplight/core";

/** Neighboring nodes of one level; null = no change is known below it. */
export type NodeRow = readonly (TreeNode | null)[];

/** A block whose lowest nodes were made. */
export interface MadeBlock {
  /** The lowest one. */
  readonly level: number;
  /** Number of the block among those of its level, from the left. */
  readonly place: number;
  readonly lowest: NodeRow;
}

interface TreeWalkOptions {
  readonly store: Pick<IndexReader, "readLedger">;
  readonly tree: AddressBytes;
  readonly top: TreeTop;
  readonly signal: AbortSignal;
  /** Called with each block. The rows that it returns, those of `rowsOf` or better ones, count for the nodes above. */
  readonly visit: (block: MadeBlock) => Promise<readonly NodeRow[]>;
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

  /** @returns the root; null where the signal aborted, and in a tree without leaves */
  async run(): Promise<TreeNode | null> {
    const { top } = this.#options;
    return top.leafCount === 0 ? null : this.#nodeAbove(blockLevels(top.depth).at(-1)!, 0);
  }

  /** The node above a block. Null also where the signal aborted: what is above incomplete rows would be wrong. */
  async #nodeAbove(level: number, place: number): Promise<TreeNode | null> {
    const { signal, top, visit } = this.#options;
    const below = level === 0 ? await this.#readLeaves(place) : await this.#nodesBelow(level, place);
    if (signal.aborted) return null;
    const lowest = Array.from({ length: BLOCK_WIDTH }, (_, at) => below[at] ?? null);
    const rows = await visit({ level, place, lowest });
    const levels = Math.min(BLOCK_LEVELS, top.depth - level);
    const [left, right] = rows[levels - 1]! as [TreeNode | null, TreeNode | null];
    return nodeAbove(left, right, level + levels);
  }

  async #nodesBelow(level: number, place: number): Promise<NodeRow> {
    const nodes: (TreeNode | null)[] = [];
    const from = place * BLOCK_WIDTH;
    for (let at = from; at < from + this.#usedOf(level, place); at += 1) {
      if (this.#options.signal.aborted) break;
      nodes.push(await this.#nodeAbove(level - BLOCK_LEVELS, at));
    }
    return nodes;
  }

  /** Number of the lowest nodes of a block above leaves that were ever appended. */
  #usedOf(level: number, place: number): number {
    const used = Math.ceil(this.#options.top.leafCount / 2 ** level);
    return Math.min(BLOCK_WIDTH, used - place * BLOCK_WIDTH);
  }

  async #readLeaves(place: number): Promise<NodeRow> {
    const { signal, store, tree, top } = this.#options;
    if (signal.aborted) return [];
    const nonces = Array.from({ length: this.#usedOf(0, place) }, (_, at) => place * BLOCK_WIDTH + at);
    const states = await store.readLedger(
      "leaf",
      nonces.map((nonce) => deriveAssetId(tree, nonce)),
    );
    this.#leaves += nonces.length;
    return states.map((state) => {
      const node = state === null ? null : nodeOfLeaf(parseLeafState(state.tree, state.state));
      return node === null || node.slot < top.creationSlot ? null : node;
    });
  }
}

/**
 * The nodes of each level of a block, lowest first.
 *
 * @param better - gives the node that counts in the place of one that was made
 */
export const rowsOf = (
  { level, lowest }: MadeBlock,
  depth: number,
  better: (up: number, place: number, made: TreeNode | null) => TreeNode | null = (_up, _place, made) => made,
): readonly NodeRow[] => {
  let row: NodeRow = lowest.map((made, place) => better(0, place, made));
  const rows = [row];
  for (let up = 1; up < BLOCK_LEVELS; up += 1) {
    const below = row;
    row = Array.from({ length: below.length / 2 }, (_, place) => {
      const [left, right] = [below[2 * place]!, below[2 * place + 1]!];
      const made = level + up < depth ? nodeAbove(left, right, level + up) : noNodeAbove(left, right);
      return better(up, place, made);
    });
    rows.push(row);
  }
  return rows;
};

/** The node above two neighbors, with the newest change below it. */
const nodeAbove = (left: TreeNode | null, right: TreeNode | null, level: number): TreeNode | null => {
  const newest = newerOf(left, right);
  if (newest === null) return null;
  const empty = emptyNode(level - 1);
  return { ...newest, hash: hashNodes(left?.hash ?? empty, right?.hash ?? empty) };
};

const noHash = new Uint8Array(32);

/** Makes the node of a level that the tree lacks: the top block has more levels than are left. */
const noNodeAbove = (left: TreeNode | null, right: TreeNode | null): TreeNode | null => {
  const newest = newerOf(left, right);
  return newest === null ? null : { ...newest, hash: noHash };
};

const newerOf = (one: TreeNode | null, other: TreeNode | null): TreeNode | null => {
  if (one === null || other === null) return one ?? other;
  return isLater(other, one) ? other : one;
};
