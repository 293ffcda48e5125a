import { canopyNode, emptyNode, levelsBelowCanopy } from "@lamplight/codecs";
import { BLOCK_LEVELS, BLOCK_WIDTH } from "@lamplight/core";
import { type KnownTree, placeKey } from "./read-tree.ts";

/**
 * The node next to a path. In the canopy it is that of the account of the tree, which misses no change. A node that was
 * never written is empty, and so is one that is left of a former tree at the address.
 *
 * @param place - number of the node on its level, from the left
 */
export const nodeBeside = ({ top, blocks }: KnownTree, level: number, place: number): Uint8Array => {
  if (level >= levelsBelowCanopy(top)) return canopyNode(top, level, place);
  const up = level % BLOCK_LEVELS;
  const width = BLOCK_WIDTH >>> up;
  const block = blocks.get(placeKey(level - up, Math.floor(place / width)));
  const node = block?.nodeAt(up, place % width) ?? null;
  return node === null || node.slot < top.creationSlot ? emptyNode(level) : node.hash;
};
