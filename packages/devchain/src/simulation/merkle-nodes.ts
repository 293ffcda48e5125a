import { emptyNode, hashNodes } from "@lamplight/codecs";

/** A node that has a leaf below it, or is one. */
interface MerkleNode {
  readonly hash: Uint8Array;
  /** Null = nothing was ever set there. */
  readonly left: MerkleNode | null;
  readonly right: MerkleNode | null;
}

/** The nodes of a tree at one moment. Two moments share the nodes that both have, so that a change costs one path. */
export class MerkleNodes {
  readonly depth: number;
  readonly #top: MerkleNode | null;

  /** @param depth - levels between leaf and root */
  constructor(depth: number, top: MerkleNode | null = null) {
    this.depth = depth;
    this.#top = top;
  }

  get root(): Uint8Array {
    return hashOf(this.#top, this.depth);
  }

  /**
   * A node by its number: 1 is the root, and the nodes below node n are 2n and 2n + 1. Null where no leaf below it was
   * ever set.
   */
  find(number: number): Uint8Array | null {
    let node = this.#top;
    for (const turn of number.toString(2).slice(1)) node = (turn === "1" ? node?.right : node?.left) ?? null;
    return node?.hash ?? null;
  }

  withLeaf(index: number, leaf: Uint8Array): MerkleNodes {
    return new MerkleNodes(this.depth, replaceLeaf(this.#top, this.depth, index, leaf));
  }

  /** From the leaf to the root, both included. */
  pathOf(index: number): readonly Uint8Array[] {
    return [...this.#levelsOf(index).map(({ own }) => own), this.root];
  }

  /** The node next to the path on each level, from that of the leaf on. */
  proofOf(index: number): readonly Uint8Array[] {
    return this.#levelsOf(index).map(({ other }) => other);
  }

  /** The node of the path and the one next to it, on each level below the root, lowest first. */
  #levelsOf(index: number): readonly { readonly own: Uint8Array; readonly other: Uint8Array }[] {
    const levels = [];
    let node = this.#top;
    for (let level = this.depth - 1; level >= 0; level -= 1) {
      const [left, right] = [node?.left ?? null, node?.right ?? null];
      const [own, other] = isRight(index, level) ? [right, left] : [left, right];
      levels.push({ own: hashOf(own, level), other: hashOf(other, level) });
      node = own;
    }
    return levels.toReversed();
  }
}

const hashOf = (node: MerkleNode | null, level: number): Uint8Array => node?.hash ?? emptyNode(level);

/** Whether the path to a leaf goes to the right, from above down to this level. */
const isRight = (index: number, level: number): boolean => ((index >>> level) & 1) === 1;

const replaceLeaf = (node: MerkleNode | null, level: number, index: number, leaf: Uint8Array): MerkleNode => {
  if (level === 0) return { hash: leaf, left: null, right: null };
  const below = level - 1;
  let [left, right] = [node?.left ?? null, node?.right ?? null];
  if (isRight(index, below)) right = replaceLeaf(right, below, index, leaf);
  else left = replaceLeaf(left, below, index, leaf);
  return { hash: hashNodes(hashOf(left, below), hashOf(right, below)), left, right };
};
