import { randomBytes } from "node:crypto";

import { cellsOfRow, NamedCells, ROWS } from "./named-cells.ts";

/** Where all workers of a process count one kind of thing: each in cells of its own, which the others read. */
export interface CellsMemory {
  readonly buffer: SharedArrayBuffer;
  readonly workers: number;
  /** Makes the cells of a name unknown to callers. */
  readonly secret: string;
}

/** @param names - that are counted at once, about */
export const createCellsMemory = (names: number, workers: number): CellsMemory => {
  const cells = ROWS * cellsOfRow(names) + 2;
  const buffer = new SharedArrayBuffer(workers * cells * Int32Array.BYTES_PER_ELEMENT);
  return { buffer, workers, secret: randomBytes(16).toString("hex") };
};

/** Forgets what a worker has counted that is gone. */
export const clearCells = ({ buffer, workers }: CellsMemory, worker: number): void => {
  const bytes = buffer.byteLength / workers;
  new Int32Array(buffer, worker * bytes, bytes / Int32Array.BYTES_PER_ELEMENT).fill(0);
};

/**
 * Counts of names, and their total, over all workers. A worker counts only in its own cells, so that nothing is left locked, or
 * counted, when it ends. A count may be too high where names share cells, and is never too low.
 */
export class SharedCells {
  readonly #cells: Int32Array;
  readonly #named: NamedCells;
  /** Cells of one worker: the rows, the total, the largest thing. */
  readonly #perWorker: number;
  readonly #total: number;
  readonly #largest: number;
  /** Index of the own cells. */
  readonly #own: number;

  /** @param worker - from 0 */
  constructor({ buffer, workers, secret }: CellsMemory, worker: number) {
    this.#cells = new Int32Array(buffer);
    this.#perWorker = this.#cells.length / workers;
    this.#total = this.#perWorker - 2;
    this.#largest = this.#perWorker - 1;
    this.#named = new NamedCells(secret, this.#total / ROWS);
    this.#own = worker * this.#perWorker;
  }

  addToAll(count: number): void {
    Atomics.add(this.#cells, this.#own + this.#total, count);
  }

  add(name: string, count: number): void {
    for (const cell of this.#named.of(name)) Atomics.add(this.#cells, this.#own + cell, count);
  }

  get all(): number {
    return this.#sum(this.#total);
  }

  of(name: string): number {
    return this.#least(this.#named.of(name), 0);
  }

  /** The sum that the other workers count. */
  get allOfOthers(): number {
    return this.#sum(this.#total) - Atomics.load(this.#cells, this.#own + this.#total);
  }

  /** The same of one name. */
  ofOthers(name: string): number {
    return this.#least(this.#named.of(name), 1);
  }

  /** The largest thing that any worker has noted since all were forgotten. */
  get largest(): number {
    let largest = 0;
    for (let at = this.#largest; at < this.#cells.length; at += this.#perWorker)
      largest = Math.max(largest, Atomics.load(this.#cells, at));
    return largest;
  }

  noteLargest(count: number): void {
    if (count > Atomics.load(this.#cells, this.#own + this.#largest))
      Atomics.store(this.#cells, this.#own + this.#largest, count);
  }

  /** Of all workers. */
  forgetLargest(): void {
    for (let at = this.#largest; at < this.#cells.length; at += this.#perWorker)
      Atomics.store(this.#cells, at, 0);
  }

  #least(cells: readonly number[], own: 0 | 1): number {
    let least = Infinity;
    for (const cell of cells)
      least = Math.min(least, this.#sum(cell) - own * Atomics.load(this.#cells, this.#own + cell));
    return least;
  }

  #sum(cell: number): number {
    let sum = 0;
    for (let at = cell; at < this.#cells.length; at += this.#perWorker) sum += Atomics.load(this.#cells, at);
    return sum;
  }
}
