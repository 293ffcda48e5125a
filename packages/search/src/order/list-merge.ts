import type { SortedTail } from "./merge-tail.ts";

/** A main list and its tail put into one, part by part. */
export class ListMerge {
  readonly ordinals: Uint32Array<ArrayBuffer>;
  length = 0;
  readonly #main: Uint32Array;
  readonly #tail: SortedTail;
  #nextTail = 0;

  constructor(main: Uint32Array, tail: SortedTail, stale: number) {
    this.ordinals = new Uint32Array(main.length - stale + tail.ordinals.length);
    this.#main = main;
    this.#tail = tail;
  }

  /** Merges the valid main entries between the bounds with the tail entries before them. One past the end: with the rest. */
  take(from: number, to: number, positions: Uint32Array, without: ReadonlySet<number> | null): void {
    const { ordinals, before } = this.#tail;
    for (let index = from; index < to; index++) {
      for (; this.#nextTail < ordinals.length && before[this.#nextTail]! <= index; this.#nextTail++) {
        const waiting = ordinals[this.#nextTail]!;
        if (without === null || !without.has(waiting)) this.ordinals[this.length++] = waiting;
      }
      const ordinal = this.#main[index];
      if (ordinal !== undefined && positions[ordinal] === index) this.ordinals[this.length++] = ordinal;
    }
  }
}
