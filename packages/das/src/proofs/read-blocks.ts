import { deriveAssetId, emptyNode, type TreeTop } from "@lamplight/codecs";
import {
  type AddressBytes,
  keptLevels,
  type LedgerState,
  nodeOfLeaf,
  parseLeafState,
  parseTreeNode,
  readAll,
  reads,
  rows,
  type Steps,
  type TreeNode,
  treeNodeKey,
} from "@lamplight/core";
import type { NodeBlock } from "./hash-path.ts";

/** Bytes that a compression state has about, for the accounting of what a call reads. */
const STATE_BYTES = 600;

/** A block before its nodes are read. */
interface BlockRange {
  readonly level: number;
  /** Place of its first node on the level. */
  readonly first: number;
  readonly length: number;
  /** The number of its nodes above leaves that were ever appended; the others are empty. */
  readonly used: number;
}

/**
 * The blocks that the path of a leaf goes through below the canopy, lowest first: that of the leaves, and one of each kept
 * level. There are none where the canopy is the whole tree.
 *
 * @param leafIndex - below the number of leaves of the tree
 */
export function* readBlocks(
  tree: AddressBytes,
  leafIndex: number,
  top: TreeTop,
): Steps<readonly NodeBlock[]> {
  const [ofLeaves, ...above] = rangesOf(leafIndex, top);
  if (ofLeaves === undefined) return [];
  const ids = placesOf(ofLeaves).map((nonce) => deriveAssetId(tree, nonce));
  const keys = above.flatMap((range) =>
    placesOf(range).map((place) => treeNodeKey(tree, range.level, place)),
  );
  const [leaves, nodes] = yield* readAll<"ledger">([reads.ledger("leaf", ids), reads.ledger("node", keys)]);
  yield rows(STATE_BYTES * (ids.length + keys.length));
  let next = 0;
  return [
    blockOf(ofLeaves, leafIndex, top, leaves!.map(leafNode)),
    ...above.map((range) => {
      const read = nodes!.slice(next, (next += range.used));
      return blockOf(range, leafIndex, top, read.map(keptNode));
    }),
  ];
}

const rangesOf = (leafIndex: number, { depth, canopyDepth, leafCount }: TreeTop): BlockRange[] => {
  const top = depth - canopyDepth;
  const levels = [0, ...keptLevels(depth)].filter((level) => level < top);
  return levels.map((level, index) => {
    const above = levels[index + 1] ?? top;
    const length = 2 ** (above - level);
    const first = (leafIndex >>> above) * length;
    const used = Math.ceil(leafCount / 2 ** level) - first;
    return { level, first, length, used: Math.max(0, Math.min(length, used)) };
  });
};

const placesOf = ({ first, used }: BlockRange): number[] =>
  Array.from({ length: used }, (_, at) => first + at);

const leafNode = (state: LedgerState | null): TreeNode | null =>
  state === null ? null : nodeOfLeaf(parseLeafState(state.tree, state.state));

const keptNode = (state: LedgerState | null): TreeNode | null =>
  state === null ? null : parseTreeNode(state.state);

/** A node that was never written is empty, and so is one that is left of a former tree at the address. */
const blockOf = (
  { level, first, length }: BlockRange,
  leafIndex: number,
  { creationSlot }: TreeTop,
  read: readonly (TreeNode | null)[],
): NodeBlock => {
  const nodes = Array.from({ length }, (_, at) => {
    const node = read[at] ?? null;
    return node === null || node.slot < creationSlot ? emptyNode(level) : node.hash;
  });
  return { level, nodes, place: (leafIndex >>> level) - first };
};
