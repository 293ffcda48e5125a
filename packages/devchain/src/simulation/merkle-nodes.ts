import { emptyNode, hashNodes } from "@lamplight/codecs";

/** The nodes of a tree, by their number: 1 is the root, and 2n and 2n + 1 lie below n. Nodes that were never set are empty. */
export class MerkleNodes {
  readonly depth: number;
  readonly #nodes: Map<number, Uint8Array>;

  /** @param depth - levels between leaf and root */
  constructor(depth: number, nodes: ReadonlyMap<number, Uint8Array> = new Map()) {
    this.depth = depth;
    this.#nodes = new Map(nodes);
  }

  copy(): MerkleNodes {
    return new MerkleNodes(this.depth, this.#nodes);
  }

  get root(): Uint8Array {
    return this.#at(1);
  }

  /** Null where no leaf below it was ever set. */
  find(number: number): Uint8Array | null {
    return this.#nodes.get(number) ?? null;
  }

  setLeaf(index: number, leaf: Uint8Array): void {
    let number = 2 ** this.depth + index;
    this.#nodes.set(number, leaf);
    for (number >>>= 1; number >= 1; number >>>= 1)
      this.#nodes.set(number, hashNodes(this.#at(2 * number), this.#at(2 * number + 1)));
  }

  /** From the leaf to the root, both included. */
  pathOf(index: number): readonly Uint8Array[] {
    return this.#numbersOf(index).map((number) => this.#at(number));
  }

  /** The node next to the path on each level, from that of the leaf on. */
  proofOf(index: number): readonly Uint8Array[] {
    return this.#numbersOf(index)
      .slice(0, -1)
      .map((number) => this.#at(number ^ 1));
  }

  #numbersOf(index: number): readonly number[] {
    return Array.from({ length: this.depth + 1 }, (_, level) => (2 ** this.depth + index) >>> level);
  }

  #at(number: number): Uint8Array {
    return this.#nodes.get(number) ?? emptyNode(this.depth - (31 - Math.clz32(number)));
  }
}
