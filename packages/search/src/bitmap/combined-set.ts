import { BlockScratch } from "./block-scratch.ts";
import type { Container } from "./container.ts";
import { type CountedSet, MemberSet } from "./member-set.ts";
import { OrdinalSet } from "./ordinal-set.ts";

// A search combines sets of millions. Each block is put together where it is read, in memory that the next block takes
// again: so no set of what two sets have in common is made.

/** Members of both. */
export const both = (a: MemberSet, b: MemberSet): MemberSet => new Both(a, b);

/** Members of either. */
export const either = (a: MemberSet, b: MemberSet): MemberSet => new Either(a, b);

/** Members of a that are not in b. */
export const without = (a: MemberSet, b: MemberSet): MemberSet => new Without(a, b);

/** Counts the members of a set, as it is now. */
export const counted = (members: MemberSet): CountedSet =>
  members instanceof OrdinalSet ? members : new Counted(members);

abstract class CombinedSet extends MemberSet {
  protected readonly a: MemberSet;
  protected readonly b: MemberSet;
  protected readonly scratch = new BlockScratch();

  constructor(a: MemberSet, b: MemberSet) {
    super();
    this.a = a;
    this.b = b;
  }
}

class Both extends CombinedSet {
  override get blockCount(): number {
    return Math.min(this.a.blockCount, this.b.blockCount);
  }

  override get sizeMax(): number {
    return Math.min(this.a.sizeMax, this.b.sizeMax);
  }

  override has(ordinal: number): boolean {
    return this.a.has(ordinal) && this.b.has(ordinal);
  }

  override block(index: number): Container | undefined {
    const a = this.a.block(index);
    const b = a && this.b.block(index);
    return a && b && this.scratch.and(a, b);
  }
}

class Either extends CombinedSet {
  override get blockCount(): number {
    return Math.max(this.a.blockCount, this.b.blockCount);
  }

  override get sizeMax(): number {
    return this.a.sizeMax + this.b.sizeMax;
  }

  override has(ordinal: number): boolean {
    return this.a.has(ordinal) || this.b.has(ordinal);
  }

  override block(index: number): Container | undefined {
    const a = this.a.block(index);
    const b = this.b.block(index);
    return a && b ? this.scratch.or(a, b) : (a ?? b);
  }
}

class Without extends CombinedSet {
  override get blockCount(): number {
    return this.a.blockCount;
  }

  override get sizeMax(): number {
    return this.a.sizeMax;
  }

  override has(ordinal: number): boolean {
    return this.a.has(ordinal) && !this.b.has(ordinal);
  }

  override block(index: number): Container | undefined {
    const a = this.a.block(index);
    const b = a && this.b.block(index);
    return a && b ? this.scratch.andNot(a, b) : a;
  }
}

class Counted extends MemberSet implements CountedSet {
  readonly size: number;
  readonly #members: MemberSet;

  constructor(members: MemberSet) {
    super();
    this.#members = members;
    this.size = members.count();
  }

  override get blockCount(): number {
    return this.#members.blockCount;
  }

  override get sizeMax(): number {
    return this.size;
  }

  override has(ordinal: number): boolean {
    return this.#members.has(ordinal);
  }

  override block(index: number): Container | undefined {
    return this.#members.block(index);
  }
}
