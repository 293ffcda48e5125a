// Nodes of trees, from which proofs are made. Stores keep them in blocks: the nodes of some levels below one node. So a
// proof reads few rows, and hashes nothing but its own path.

import type { AddressBytes } from "./address.ts";
import type { ChangeId } from "./leaf-state.ts";
import { isLater } from "./leaf-state.ts";
import type { TreeNode } from "./tree-node.ts";

/**
 * Levels of a block. A proof reads a row for each block of its path, and a change of a leaf writes all of them. Fewer
 * levels make more rows of it; with more, a row no longer fits into a page next to others.
 */
export const BLOCK_LEVELS = 4;

/** Nodes of the lowest level of a block. */
export const BLOCK_WIDTH: number = 2 ** BLOCK_LEVELS;

const NODE_BYTES = 32;
const NODES_BYTES = NODE_BYTES * (2 * BLOCK_WIDTH - 2);

/** The lowest levels of the blocks of a tree, lowest first; 0 is that of the leaves. */
export const blockLevels = (depth: number): readonly number[] => {
  const levels: number[] = [];
  for (let level = 0; level < depth; level += BLOCK_LEVELS) levels.push(level);
  return levels;
};

/** The block of a path that begins at `level`: its number among those of its level, from the left. */
export const blockPlaceOf = (leafIndex: number, level: number): number =>
  Math.floor(leafIndex / 2 ** (level + BLOCK_LEVELS));

/** The address of the tree takes so many bytes of a key. Two trees with the same ones cannot be found. */
const TREE_BYTES = 27;

/**
 * The key of the compression state of a block. Blocks of one level of a tree follow each other.
 *
 * @param level - the lowest one
 * @param place - number of the block among those of its level, from the left
 */
export const nodeBlockKey = (tree: AddressBytes, level: number, place: number): AddressBytes => {
  const key = new Uint8Array(32);
  key.set(tree.subarray(0, TREE_BYTES));
  // It is never 0, so that no key is `nodesStateKey`.
  key[TREE_BYTES] = level + 1;
  for (let at = 1; at <= 4; at += 1) key[TREE_BYTES + at] = place >>> (32 - 8 * at);
  return key;
};

/** The compression programs create no deeper tree. */
export const TREE_DEPTH_MAX = 30;

/** A block that the path of a leaf goes through. */
export interface PathBlock {
  /** The lowest one. */
  readonly level: number;
  /** Number of the block among those of its level, from the left. */
  readonly place: number;
  /** Of its compression state. */
  readonly key: AddressBytes;
}

/**
 * The blocks of a path, lowest first.
 *
 * @param levels - from the leaves up; default those of the deepest tree
 */
export const pathBlocks = (
  tree: AddressBytes,
  leafIndex: number,
  levels: number = TREE_DEPTH_MAX,
): readonly PathBlock[] =>
  blockLevels(levels).map((level) => {
    const place = blockPlaceOf(leafIndex, level);
    return { level, place, key: nodeBlockKey(tree, level, place) };
  });

/**
 * The nodes of one block, as the newest known change below each left it. Every change of a tree carries its whole path.
 * So the newest change of a node is the newest one of the lowest nodes below it, and only these have a number.
 */
export class NodeBlock {
  /** The newest change of each of the lowest nodes, from the left; null = none is known. */
  readonly #changes: (ChangeId | null)[];
  /** Level by level, lowest first. */
  readonly #hashes: Uint8Array;

  private constructor(changes: (ChangeId | null)[], hashes: Uint8Array) {
    this.#changes = changes;
    this.#hashes = hashes;
  }

  static empty(): NodeBlock {
    const changes = Array.from({ length: BLOCK_WIDTH }, () => null);
    return new NodeBlock(changes, new Uint8Array(NODES_BYTES));
  }

  /** @param rows - the nodes of each level, lowest first; null = no change is known below it */
  static of(rows: readonly (readonly (TreeNode | null)[])[]): NodeBlock {
    const block = NodeBlock.empty();
    for (const [level, row] of rows.entries())
      for (const [place, node] of row.entries()) if (node !== null) block.#setHash(level, place, node.hash);
    for (const [place, node] of rows[0]!.entries())
      if (node !== null) block.#changes[place] = { seq: node.seq, slot: node.slot };
    return block;
  }

  /** @param text - as `write` gives it */
  static parse(text: string): NodeBlock {
    const bytes = Buffer.from(text, "base64");
    const changes: (ChangeId | null)[] = [];
    const reader = new NumberReader(bytes);
    for (let place = 0; place < BLOCK_WIDTH; place += 1) {
      const slot = reader.next() - 1;
      changes.push(slot < 0 ? null : { slot, seq: reader.next() });
    }
    let { at } = reader;
    // Most blocks in a store have all nodes, in the order in which they are in memory.
    if (!changes.includes(null) && bytes.length === at + NODES_BYTES)
      return new NodeBlock(changes, bytes.subarray(at, at + NODES_BYTES));
    const block = new NodeBlock(changes, new Uint8Array(NODES_BYTES));
    for (let level = 0; level < BLOCK_LEVELS; level += 1)
      for (const place of block.#placesAt(level)) {
        block.#setHash(level, place, bytes.subarray(at, at + NODE_BYTES));
        at += NODE_BYTES;
      }
    return block;
  }

  /** One text for one block: the change of each of the lowest nodes, 0 for none, then the nodes that are known, as base64. */
  write(): string {
    let end = 0;
    for (const change of this.#changes) {
      end = writeNumber(change === null ? 0 : change.slot + 1, end);
      if (change !== null) end = writeNumber(change.seq, end);
    }
    if (!this.#changes.includes(null)) {
      scratch.set(this.#hashes, end);
      return scratch.toString("base64", 0, end + NODES_BYTES);
    }
    for (let level = 0; level < BLOCK_LEVELS; level += 1)
      for (const place of this.#placesAt(level)) {
        scratch.set(this.#hashAt(level, place), end);
        end += NODE_BYTES;
      }
    return scratch.toString("base64", 0, end);
  }

  /**
   * Takes the nodes of the path of a change where they are not older than those that are there. Any order of the same
   * changes gives the same block.
   *
   * @param place - that of the lowest node of the path in the block
   * @param pathAt - the node of the path on each level of the block
   */
  put(place: number, change: ChangeId, pathAt: (level: number) => Uint8Array): void {
    for (let level = BLOCK_LEVELS - 1; level >= 0; level -= 1)
      this.#take(level, place >>> level, change, pathAt(level));
  }

  /** Takes the nodes of another block of the same place where they are newer. Any order of blocks gives the same one. */
  merge(other: NodeBlock): void {
    for (let level = BLOCK_LEVELS - 1; level >= 0; level -= 1)
      for (const place of other.#placesAt(level))
        this.#take(level, place, other.#changeAt(level, place)!, other.#hashAt(level, place));
  }

  /** The newest change of a node or below it; null = none is known. */
  #changeAt(level: number, place: number): ChangeId | null {
    let newest: ChangeId | null = null;
    const end = (place + 1) << level;
    for (let at = place << level; at < end; at += 1) {
      const change = this.#changes[at] ?? null;
      if (change !== null && (newest === null || isLater(change, newest))) newest = change;
    }
    return newest;
  }

  /** Null where no change is known. */
  nodeAt(level: number, place: number): TreeNode | null {
    const change = this.#changeAt(level, place);
    return change === null ? null : { ...change, hash: this.#hashAt(level, place) };
  }

  /** It must be called from the top level down: the changes of the lowest nodes say how new those above are. */
  #take(level: number, place: number, change: ChangeId, hash: Uint8Array): void {
    const known = this.#changeAt(level, place);
    if (known !== null && !isNewer(change, hash, known, this.#hashAt(level, place))) return;
    this.#setHash(level, place, hash);
    if (level === 0) this.#changes[place] = change;
  }

  /** The nodes of a level of which a change is known, from the left. */
  #placesAt(level: number): readonly number[] {
    const places: number[] = [];
    for (let lowest = 0; lowest < BLOCK_WIDTH; lowest += 1) {
      const place = lowest >>> level;
      if (this.#changes[lowest] !== null && places.at(-1) !== place) places.push(place);
    }
    return places;
  }

  #hashAt(level: number, place: number): Uint8Array {
    const at = nodeStart(level, place);
    return this.#hashes.subarray(at, at + NODE_BYTES);
  }

  #setHash(level: number, place: number, hash: Uint8Array): void {
    this.#hashes.set(hash, nodeStart(level, place));
  }
}

/** Equal changes come from forks: then any rule that all orders agree on. */
const isNewer = (change: ChangeId, hash: Uint8Array, known: ChangeId, knownHash: Uint8Array): boolean =>
  isLater(change, known) || (!isLater(known, change) && Buffer.compare(hash, knownHash) > 0);

/** The level has half as many nodes as the one below. */
const nodeStart = (level: number, place: number): number =>
  NODE_BYTES * (2 * BLOCK_WIDTH - ((2 * BLOCK_WIDTH) >>> level) + place);

/** Bytes that a number up to 2^53 takes at most. */
const NUMBER_BYTES_MAX = 8;
/** Scratch of one call. */
const scratch = Buffer.alloc(NODES_BYTES + 2 * NUMBER_BYTES_MAX * BLOCK_WIDTH);

/** Writes seven bits a byte, lowest first; returns the end. */
const writeNumber = (number: number, start: number): number => {
  let [rest, at] = [number, start];
  for (; rest >= 128; rest = Math.floor(rest / 128)) scratch[at++] = (rest % 128) + 128;
  scratch[at++] = rest;
  return at;
};

/** Reads numbers as `writeNumber` writes them. */
class NumberReader {
  readonly #bytes: Uint8Array;
  /** The place of the next number. */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): number {
    let number = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.#bytes[this.at++] ?? 0;
      number += (byte % 128) * unit;
      if (byte < 128) return number;
    }
  }
}
