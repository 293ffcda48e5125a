import * as containers from "./container.ts";
import { BLOCK_BITS, BLOCK_SIZE, type Container } from "./container.ts";
import { runThrough, type Slices } from "../slices.ts";

/** Blocks in order: a list as 16-bit members, bits as 32-bit words, null for none. */
export type SavedSet = readonly (Uint16Array | Uint32Array | null)[];

const LOW_MASK = BLOCK_SIZE - 1;

/** A set of asset ordinals (0 to 2^32 - 1), in blocks. Set operations make new sets; `add` and `remove` change this one. */
export class OrdinalSet {
  readonly #blocks: (Container | undefined)[];
  #size: number;

  private constructor(blocks: (Container | undefined)[], size: number) {
    this.#blocks = blocks;
    this.#size = size;
  }

  static empty(): OrdinalSet {
    return new OrdinalSet([], 0);
  }

  /** A set of ascending ordinals without repeats. */
  static fromSorted(ordinals: ArrayLike<number>): OrdinalSet {
    const set = OrdinalSet.empty();
    set.addSorted(ordinals);
    return set;
  }

  /** From what `toSaved` gave; the arrays become this set's own. Null when they are of no set. */
  static fromSaved(saved: SavedSet): OrdinalSet | null {
    const blocks = saved.map((members) => (members === null ? undefined : containers.fromSaved(members)));
    if (blocks.includes(null)) return null;
    const held = blocks as (Container | undefined)[];
    const size = held.reduce((sum, block) => sum + (block === undefined ? 0 : containers.countOf(block)), 0);
    return new OrdinalSet(held, size);
  }

  /** Number of members. */
  get size(): number {
    return this.#size;
  }

  has(ordinal: number): boolean {
    const block = this.#blocks[ordinal >>> BLOCK_BITS];
    return block !== undefined && containers.has(block, ordinal & LOW_MASK);
  }

  add(ordinal: number): void {
    const index = ordinal >>> BLOCK_BITS;
    const block = this.#blocks[index];
    const grown = containers.withMember(block, ordinal & LOW_MASK);
    if (grown === block) return;
    this.#blocks[index] = grown;
    this.#size++;
  }

  /** Adds ascending ordinals without repeats; far cheaper than one by one. */
  addSorted(ordinals: ArrayLike<number>): void {
    let from = 0;
    while (from < ordinals.length) {
      const index = ordinals[from]! >>> BLOCK_BITS;
      let to = from;
      while (to < ordinals.length && ordinals[to]! >>> BLOCK_BITS === index) to++;
      const lows = new Uint16Array(to - from);
      for (let at = from; at < to; at++) lows[at - from] = ordinals[at]! & LOW_MASK;
      const block = this.#blocks[index];
      const grown = containers.withMembers(block, lows)!;
      this.#size += containers.countOf(grown) - (block === undefined ? 0 : containers.countOf(block));
      this.#blocks[index] = grown;
      from = to;
    }
  }

  remove(ordinal: number): void {
    const index = ordinal >>> BLOCK_BITS;
    const block = this.#blocks[index];
    if (block === undefined) return;
    const shrunk = containers.withoutMember(block, ordinal & LOW_MASK);
    if (shrunk === block) return;
    this.#blocks[index] = shrunk ?? undefined;
    this.#size--;
  }

  /** Members of both. */
  and(other: OrdinalSet): OrdinalSet {
    return this.#combine(other, Math.min(this.#blocks.length, other.#blocks.length), (a, b) =>
      a === undefined || b === undefined ? null : containers.and(a, b),
    );
  }

  /** Members of either. */
  or(other: OrdinalSet): OrdinalSet {
    return this.#combine(other, Math.max(this.#blocks.length, other.#blocks.length), (a, b) => {
      if (a === undefined) return b === undefined ? null : containers.copyOf(b);
      return b === undefined ? containers.copyOf(a) : containers.or(a, b);
    });
  }

  /** Members of this that are not in `other`. */
  andNot(other: OrdinalSet): OrdinalSet {
    return this.#combine(other, this.#blocks.length, (a, b) => {
      if (a === undefined) return null;
      return b === undefined ? containers.copyOf(a) : containers.andNot(a, b);
    });
  }

  /** Calls `visit` with each member, ascending. */
  forEach(visit: (ordinal: number) => void): void {
    for (const [index, block] of this.#blocks.entries()) {
      if (block === undefined) continue;
      const base = index * BLOCK_SIZE;
      containers.forEachMember(block, (low) => visit(base + low));
    }
  }

  /** An own copy of the blocks, as small as they are in memory. */
  toSaved(): SavedSet {
    return Array.from(this.#blocks, (block) => (block === undefined ? null : containers.toSaved(block)));
  }

  /**
   * Sets (or, of those that are not members, clears) the bit at each one's position; positions of `end` and above are
   * none. One flat loop: deep pages do this for millions.
   */
  markPositions(positions: Uint32Array, end: number, bits: Uint32Array, ofMembers: boolean): void {
    const blockCount = ofMembers ? this.#blocks.length : Math.ceil(positions.length / BLOCK_SIZE);
    for (let index = 0; index < blockCount; index++) {
      const block = this.#blocks[index];
      const from = index * BLOCK_SIZE;
      if (ofMembers && block === undefined) continue;
      const part = positions.subarray(from, from + BLOCK_SIZE);
      if (ofMembers) containers.setPositions(block!, part, end, bits);
      else containers.clearPositionsOfOthers(block, part, end, bits);
    }
  }

  toArray(): Uint32Array {
    return runThrough(this.listed());
  }

  /** As `toArray`, block by block; the set must not change in the meantime. */
  *listed(): Slices<Uint32Array> {
    const ordinals = new Uint32Array(this.#size);
    let next = 0;
    for (const [index, block] of this.#blocks.entries()) {
      if (block === undefined) continue;
      const base = index * BLOCK_SIZE;
      containers.forEachMember(block, (low) => {
        ordinals[next++] = base + low;
      });
      yield;
    }
    return ordinals;
  }

  /** Members with ranks `from` to `from + count - 1`, ascending; whole blocks are skipped by their counts. */
  slice(from: number, count: number): number[] {
    const found: number[] = [];
    let rank = 0;
    for (let index = 0; index < this.#blocks.length && found.length < count; index++) {
      const block = this.#blocks[index];
      if (block === undefined) continue;
      const size = containers.countOf(block);
      if (rank + size > from) {
        const base = index * BLOCK_SIZE;
        const first = Math.max(0, from - rank);
        for (const low of containers.membersAt(block, first, count - found.length)) found.push(base + low);
      }
      rank += size;
    }
    return found;
  }

  /** Bytes held by the members, for the memory report. */
  get byteLength(): number {
    let bytes = 0;
    for (const block of this.#blocks)
      if (block !== undefined)
        bytes += block.kind === "list" ? block.values.byteLength : block.words.byteLength;
    return bytes;
  }

  #combine(
    other: OrdinalSet,
    blockCount: number,
    combine: (a: Container | undefined, b: Container | undefined) => Container | null,
  ): OrdinalSet {
    const blocks: (Container | undefined)[] = [];
    let size = 0;
    for (let index = 0; index < blockCount; index++) {
      const block = combine(this.#blocks[index], other.#blocks[index]);
      if (block === null) continue;
      blocks[index] = block;
      size += containers.countOf(block);
    }
    return new OrdinalSet(blocks, size);
  }
}
