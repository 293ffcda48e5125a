import { rowAbove } from "@lamplight/codecs";

/** Neighboring nodes of one level: all that lie under one node some levels above. */
export interface NodeBlock {
  /** 0 is that of the leaves. */
  readonly level: number;
  /** From the left; a power of two of them. */
  readonly nodes: readonly Uint8Array[];
  /** The place of the one that the path goes through. */
  readonly place: number;
}

/** The way from a node up to the top of its block. */
export interface BlockPath {
  /** The node next to the path on each level, lowest first. */
  readonly siblings: readonly Uint8Array[];
  /** The node above the whole block. */
  readonly top: Uint8Array;
}

/**
 * Hashes a block up to its top.
 *
 * @param own - the node of the path in the lowest level, in the place of the one that the block has
 */
export const hashPath = ({ level, nodes, place }: NodeBlock, own: Uint8Array): BlockPath => {
  const siblings: Uint8Array[] = [];
  let row: readonly Uint8Array[] = nodes.with(place, own);
  for (let up = 0; row.length > 1; up += 1) {
    siblings.push(row[(place >>> up) ^ 1]!);
    row = rowAbove(row, level + up);
  }
  return { siblings, top: row[0]! };
};
