import { BorshWriter, emptyNode } from "@lamplight/codecs";
import type { AddressBytes, Slot } from "@lamplight/core";
import { MerkleNodes } from "./merkle-nodes.ts";

/** Changes that an account keeps. */
const CHANGES_KEPT = 8;
const emptyLeaf = new Uint8Array(32);

/** One entry of the ring that a tree account keeps of its newest changes. */
interface KeptChange {
  readonly root: Uint8Array;
  /** From the leaf to the root. */
  readonly path: readonly Uint8Array[];
  readonly leafIndex: number;
}

/** The account of a tree says this of its leaves: the compression program changes it with every change of one. */
export class TreeAccount {
  readonly #canopyDepth: number;
  #nodes: MerkleNodes;
  #creationSlot: Slot = 0;
  #seq = 0;
  /** Newest last. */
  #changes: readonly KeptChange[] = [];
  #leafCount = 0;
  #lastLeaf: Uint8Array = emptyLeaf;

  /**
   * @param depth - levels between leaf and root
   * @param canopyDepth - levels below the root whose nodes the account holds
   */
  constructor(depth: number, canopyDepth: number) {
    this.#canopyDepth = canopyDepth;
    this.#nodes = new MerkleNodes(depth);
  }

  get nodes(): MerkleNodes {
    return this.#nodes;
  }

  copy(): TreeAccount {
    const copy = new TreeAccount(this.#nodes.depth, this.#canopyDepth);
    copy.#nodes = this.#nodes;
    copy.#creationSlot = this.#creationSlot;
    copy.#seq = this.#seq;
    copy.#changes = this.#changes;
    copy.#leafCount = this.#leafCount;
    copy.#lastLeaf = this.#lastLeaf;
    return copy;
  }

  /** Creates the tree, again where there was one; returns the path of its first leaf, from the leaf to the root. */
  create(slot: Slot): readonly Uint8Array[] {
    this.#nodes = new MerkleNodes(this.#nodes.depth);
    this.#creationSlot = slot;
    this.#seq = 0;
    this.#changes = [];
    this.#leafCount = 0;
    this.#lastLeaf = emptyLeaf;
    return this.#keep(0);
  }

  /** Replaces or appends a leaf; returns its new path, from the leaf to the root. */
  put(seq: number, leafIndex: number, leaf: Uint8Array): readonly Uint8Array[] {
    this.#seq = seq;
    this.#nodes = this.#nodes.withLeaf(leafIndex, leaf);
    if (leafIndex >= this.#leafCount) {
      this.#leafCount = leafIndex + 1;
      this.#lastLeaf = leaf;
    }
    return this.#keep(leafIndex);
  }

  /** The data of the account. */
  encode(authority: AddressBytes): Uint8Array {
    const { depth } = this.#nodes;
    const writer = new BorshWriter().u8(1).u8(0).u32(CHANGES_KEPT).u32(depth);
    writer.bytes(authority).u64(BigInt(this.#creationSlot)).bytes(new Uint8Array(6));
    writer.u64(BigInt(this.#seq)).u64(BigInt(this.#seq % CHANGES_KEPT));
    writer.u64(BigInt(this.#changes.length));
    for (let at = 0; at < CHANGES_KEPT; at += 1) this.#writeChange(writer, at);
    const proof = this.#leafCount === 0 ? [] : this.#nodes.proofOf(this.#leafCount - 1);
    for (let level = 0; level < depth; level += 1) writer.bytes(proof[level] ?? emptyNode(level));
    writer.bytes(this.#lastLeaf).u32(this.#leafCount).u32(0);
    // From the left, level by level from the one below the root.
    for (let number = 2; number < 2 ** (this.#canopyDepth + 1); number += 1)
      writer.bytes(this.#nodes.find(number) ?? emptyLeaf);
    return writer.finish().slice();
  }

  #keep(leafIndex: number): readonly Uint8Array[] {
    const path = this.#nodes.pathOf(leafIndex);
    this.#changes = [...this.#changes, { root: this.#nodes.root, path, leafIndex }].slice(-CHANGES_KEPT);
    return path;
  }

  /** A change lies in the ring at its number, modulo the length of the ring. */
  #writeChange(writer: BorshWriter, at: number): void {
    const back = (this.#seq - at + CHANGES_KEPT * (this.#seq + 1)) % CHANGES_KEPT;
    const change = this.#changes[this.#changes.length - 1 - back];
    writer.bytes(change?.root ?? emptyLeaf);
    for (let level = 0; level < this.#nodes.depth; level += 1) writer.bytes(change?.path[level] ?? emptyLeaf);
    writer.u32(change?.leafIndex ?? 0).u32(0);
  }
}
