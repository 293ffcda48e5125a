import { randomBytes } from "node:crypto";

import { cellsOfRow, NamedCells, ROWS } from "./named-cells.ts";

/** After `wrongKeys`, an address has one more check in so long. */
const TICK_MS = 200;

/** Checks beyond `wrongKeys` that need not wait for it: callers with a right key may share the address. */
const FURTHER_CHECKS = 10;

/** Addresses whose wrong keys are counted one by one, about. With more, some share their checks. */
const ADDRESSES = 10_000;

/** What all workers of a process know of wrong keys: for each cell the tick at which it is empty again. */
export interface GuessesMemory {
  readonly buffer: SharedArrayBuffer;
  /** Makes the cells of an address unknown to callers. */
  readonly secret: string;
}

export const createGuessesMemory = (): GuessesMemory => ({
  buffer: new SharedArrayBuffer(ROWS * cellsOfRow(ADDRESSES) * Int32Array.BYTES_PER_ELEMENT),
  secret: randomBytes(16).toString("hex"),
});

/**
 * Slows those who try keys, over all workers. Each wrong key takes a check of its address, and time gives them back one
 * by one. So nothing has to be forgotten, and a worker that ends leaves nothing behind.
 */
export class KeyGuesses {
  readonly #emptyAt: Int32Array;
  readonly #named: NamedCells;
  readonly #max: number;
  readonly #now: () => number;

  /** @param now - ticks of a clock that all threads share */
  constructor(wrongKeys: number, { buffer, secret }: GuessesMemory, now: () => number = ticksNow) {
    this.#emptyAt = new Int32Array(buffer);
    this.#named = new NamedCells(secret, this.#emptyAt.length / ROWS);
    this.#max = wrongKeys + FURTHER_CHECKS;
    this.#now = now;
  }

  /** Whether a key of this address may be checked now. */
  mayCheck(address: string): boolean {
    const now = this.#now();
    return this.#named.of(address).some((cell) => Atomics.load(this.#emptyAt, cell) - now < this.#max);
  }

  onWrong(address: string): void {
    const now = this.#now();
    for (const cell of this.#named.of(address)) {
      const emptyAt = Atomics.load(this.#emptyAt, cell);
      // Where another worker counts at the same moment, one of the two is enough.
      Atomics.compareExchange(this.#emptyAt, cell, emptyAt, Math.max(emptyAt, now) + 1);
    }
  }
}

const ticksNow = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return Math.floor((seconds * 1000 + nanoseconds / 1e6) / TICK_MS);
};
