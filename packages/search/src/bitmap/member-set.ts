import * as containers from "./container.ts";
import { BLOCK_SIZE, type Container } from "./container.ts";
import { runThrough, type Slices } from "../slices.ts";

/** Ordinals that are read block by block. */
export abstract class MemberSet {
  /** Blocks there may be; none has a member from here on. */
  abstract get blockCount(): number;

  /** The members of one block, valid until the next call. */
  abstract block(index: number): Container | undefined;

  abstract has(ordinal: number): boolean;

  /** At least as many as there are members, known without reading them. */
  abstract get sizeMax(): number;

  /** Calls `visit` with each member, ascending. */
  forEach(visit: (ordinal: number) => void): void {
    for (let index = 0; index < this.blockCount; index++) this.#visitBlock(index, visit);
  }

  toArray(): Uint32Array {
    return runThrough(this.listed());
  }

  /** As `toArray`, block by block; the set must not change in the meantime. */
  *listed(): Slices<Uint32Array> {
    const ordinals = new Uint32Array(this.count());
    let next = 0;
    for (let index = 0; index < this.blockCount; index++) {
      this.#visitBlock(index, (ordinal) => {
        ordinals[next++] = ordinal;
      });
      yield;
    }
    return ordinals;
  }

  /** A bit for each ordinal below `end`, set for members. */
  toBits(end: number): Uint32Array {
    const blocks = Math.ceil(end / BLOCK_SIZE);
    const bits = new Uint32Array((blocks * BLOCK_SIZE) / 32);
    for (let index = 0; index < Math.min(blocks, this.blockCount); index++) {
      const block = this.block(index);
      if (block === undefined) continue;
      const from = (index * BLOCK_SIZE) / 32;
      if (block.kind === "bits") bits.set(block.words, from);
      else containers.setBits(bits.subarray(from, from + BLOCK_SIZE / 32), block.values);
    }
    return bits;
  }

  /** Members with ranks `from` to `from + count - 1`, ascending; whole blocks are skipped by their counts. */
  slice(from: number, count: number): number[] {
    const found: number[] = [];
    let rank = 0;
    for (let index = 0; index < this.blockCount && found.length < count; index++) {
      const block = this.block(index);
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

  /** Reads all blocks. */
  count(): number {
    return this.#countBlocks(this.blockCount);
  }

  /** Members below an ordinal. */
  rankOf(ordinal: number): number {
    const index = Math.floor(ordinal / BLOCK_SIZE);
    if (index >= this.blockCount) return this.count();
    const rank = this.#countBlocks(index);
    const block = this.block(index);
    return block === undefined ? rank : rank + containers.countBelow(block, ordinal % BLOCK_SIZE);
  }

  #countBlocks(end: number): number {
    let count = 0;
    for (let index = 0; index < end; index++) {
      const block = this.block(index);
      if (block !== undefined) count += containers.countOf(block);
    }
    return count;
  }

  #visitBlock(index: number, visit: (ordinal: number) => void): void {
    const block = this.block(index);
    const base = index * BLOCK_SIZE;
    if (block !== undefined) containers.forEachMember(block, (low) => visit(base + low));
  }
}

/** A set whose members have been counted. It must not change from then on until its last use. */
export interface CountedSet extends MemberSet {
  readonly size: number;
}
