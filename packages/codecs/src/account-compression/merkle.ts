import { keccak256 } from "../keccak/keccak256.ts";

/** Bytes of a node. */
const NODE_BYTES = 32;

/** The node above two others. */
export const hashNodes = (left: Uint8Array, right: Uint8Array): Uint8Array => keccak256(left, right);

const emptyNodes: Uint8Array[] = [new Uint8Array(NODE_BYTES)];

/**
 * The node above leaves that are all empty. Every call for a level gives the same object.
 *
 * @param level - 0 is a leaf: 32 zero bytes
 */
export const emptyNode = (level: number): Uint8Array => {
  for (let known = emptyNodes.length; known <= level; known += 1) {
    const below = emptyNodes[known - 1]!;
    emptyNodes.push(hashNodes(below, below));
  }
  return emptyNodes[level]!;
};
