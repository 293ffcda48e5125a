import * as containers from "./container.ts";
import { BLOCK_BITS, BLOCK_SIZE, type Container } from "./container.ts";
import { type CountedSet, MemberSet } from "./member-set.ts";

/** Blocks in order: a list as 16-bit members, bits as 32-bit words, null for none. */
export type SavedSet = readonly (Uint16Array | Uint32Array | null)[];

const LOW_MASK = BLOCK_SIZE - 1;

/** A set of asset ordinals (0 to 2^32 - 1) of its own, in blocks. */
export class OrdinalSet extends MemberSet implements CountedSet {
  readonly #blocks: (Container | undefined)[];
  #size: number;

  private constructor(blocks: (Container | undefined)[], size: number) {
    super();
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
    return OrdinalSet.fromBlocks(blocks as (Container | undefined)[]);
  }

  /** The blocks become this set's own. */
  static fromBlocks(blocks: (Container | undefined)[]): OrdinalSet {
    const size = blocks.reduce(
      (sum, block) => sum + (block === undefined ? 0 : containers.countOf(block)),
      0,
    );
    return new OrdinalSet(blocks, size);
  }

  /** Number of members. */
  get size(): number {
    return this.#size;
  }

  override get sizeMax(): number {
    return this.#size;
  }

  override count(): number {
    return this.#size;
  }

  override get blockCount(): number {
    return this.#blocks.length;
  }

  override block(index: number): Container | undefined {
    return this.#blocks[index];
  }

  override has(ordinal: number): boolean {
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

  /** An own copy of the blocks, as small as they are in memory. */
  toSaved(): SavedSet {
    return Array.from(this.#blocks, (block) => (block === undefined ? null : containers.toSaved(block)));
  }

  /** Bytes held by the members, for the memory report. */
  get byteLength(): number {
    let bytes = 0;
    for (const block of this.#blocks)
      if (block !== undefined)
        bytes += block.kind === "list" ? block.values.byteLength : block.words.byteLength;
    return bytes;
  }
}
