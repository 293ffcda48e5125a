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

/**
 * The nodes above a row of neighbors. Most of a young tree are empty ones, which are known without hashing.
 *
 * @param level - that of the row; 0 is a leaf
 */
export const rowAbove = (row: readonly Uint8Array[], level: number): Uint8Array[] => {
  const empty = emptyNode(level);
  return Array.from({ length: row.length / 2 }, (_, place) => {
    const left = row[2 * place]!;
    const right = row[2 * place + 1]!;
    return left === empty && right === empty ? emptyNode(level + 1) : hashNodes(left, right);
  });
};
