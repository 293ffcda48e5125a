import { hash } from "node:crypto";

/**
 * A collection of rows as their number and the sum of their hashes: equal for equal rows, in any order they came,
 * and nothing of them is kept.
 */
export class RowTally {
  #count = 0;
  #sum = 0n;

  get count(): number {
    return this.#count;
  }

  /** @param parts - of fixed lengths: they are joined */
  add(...parts: readonly Uint8Array[]): void {
    const digest = hash("sha256", Buffer.concat(parts), "buffer");
    this.#count += 1;
    this.#sum = BigInt.asUintN(64, this.#sum + digest.readBigUInt64LE());
  }

  equals(other: RowTally): boolean {
    return this.#count === other.#count && this.#sum === other.#sum;
  }
}
