import { canopyNode, hashNodes, type TreeTop } from "@lamplight/codecs";
import type { BlockPath } from "./hash-path.ts";

/**
 * Hashes a node up to the root, through the canopy. The account of a tree misses no change, so its nodes fit its root.
 *
 * @param own - the node of the path below which the canopy ends
 */
export const hashCanopy = (own: Uint8Array, leafIndex: number, tree: TreeTop): BlockPath => {
  const siblings: Uint8Array[] = [];
  let top = own;
  for (let level = tree.depth - tree.canopyDepth; level < tree.depth; level += 1) {
    const place = leafIndex >>> level;
    const sibling = canopyNode(tree, level, place ^ 1);
    siblings.push(sibling);
    top = place % 2 === 0 ? hashNodes(top, sibling) : hashNodes(sibling, top);
  }
  return { siblings, top };
};
