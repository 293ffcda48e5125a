import type { NumberParts } from "../number-parts.ts";
import type { SortedTail } from "./merge-tail.ts";

/** A main list and its tail put into one, part by part. */
export class ListMerge {
  readonly ordinals: NumberParts;
  length = 0;
  readonly #main: NumberParts;
  readonly #tail: SortedTail;
  #nextTail = 0;

  /** @param into - empty; it gets as many entries as there are at most */
  constructor(main: NumberParts, tail: SortedTail, stale: number, into: NumberParts) {
    into.resize(main.length - stale + tail.ordinals.length);
    this.ordinals = into;
    this.#main = main;
    this.#tail = tail;
  }

  /** Merges the valid main entries between the bounds with the tail entries before them. One past the end: with the rest. */
  take(from: number, to: number, positions: NumberParts, without: ReadonlySet<number> | null): void {
    const { ordinals, before } = this.#tail;
    const main = this.#main;
    for (let index = from; index < to; index++) {
      for (; this.#nextTail < ordinals.length && before[this.#nextTail]! <= index; this.#nextTail++) {
        const waiting = ordinals[this.#nextTail]!;
        if (without === null || !without.has(waiting)) this.ordinals.set(this.length++, waiting);
      }
      if (index === main.length) return;
      const ordinal = main.get(index);
      if (positions.get(ordinal) === index) this.ordinals.set(this.length++, ordinal);
    }
  }
}
