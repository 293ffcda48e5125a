import { hash, randomBytes } from "node:crypto";

/** Where all workers of a process count one kind of thing: each in cells of its own, which the others read. */
export interface CellsMemory {
  readonly buffer: SharedArrayBuffer;
  readonly workers: number;
  /** Makes the cells of a name unknown to callers. */
  readonly secret: string;
}

/** A name has a cell in each row. The lowest count is its own, unless another name shares all of its cells. */
const ROWS = 4;

/** Names whose cells are remembered; beyond it they are computed again. */
const NAMES_MAX = 10_000;

/** The cell of the total. */
const ALL = [0];

/** @param names - that are counted at once, about */
export const createCellsMemory = (names: number, workers: number): CellsMemory => {
  const cells = 1 + ROWS * 2 ** Math.ceil(Math.log2(names));
  const buffer = new SharedArrayBuffer(workers * cells * Int32Array.BYTES_PER_ELEMENT);
  return { buffer, workers, secret: randomBytes(16).toString("hex") };
};

/** Forgets what a worker has counted that is gone. */
export const clearCells = ({ buffer, workers }: CellsMemory, worker: number): void => {
  const bytes = buffer.byteLength / workers;
  new Int32Array(buffer, worker * bytes, bytes / Int32Array.BYTES_PER_ELEMENT).fill(0);
};

/**
 * Counts of names, and their total, over all workers. A worker only writes its own cells, so that nothing is left locked, or
 * counted, when it ends. A count may be too high where names share cells, and is never too low.
 */
export class SharedCells {
  readonly #cells: Int32Array;
  readonly #secret: string;
  /** Cells of one worker: the total, then the rows. */
  readonly #perWorker: number;
  /** Index of the own cells. */
  readonly #own: number;
  readonly #named = new Map<string, readonly number[]>();

  /** @param worker - from 0 */
  constructor({ buffer, workers, secret }: CellsMemory, worker: number) {
    this.#cells = new Int32Array(buffer);
    this.#secret = secret;
    this.#perWorker = this.#cells.length / workers;
    this.#own = worker * this.#perWorker;
  }

  addToAll(count: number): void {
    this.#add(ALL, count);
  }

  add(name: string, count: number): void {
    this.#add(this.#cellsOf(name), count);
  }

  get all(): number {
    return this.#sum(0);
  }

  of(name: string): number {
    return this.#least(this.#cellsOf(name), 0);
  }

  /** The sum that the other workers count. */
  get allOfOthers(): number {
    return this.#sum(0) - Atomics.load(this.#cells, this.#own);
  }

  /** The same of one name. */
  ofOthers(name: string): number {
    return this.#least(this.#cellsOf(name), 1);
  }

  #add(cells: readonly number[], count: number): void {
    for (const cell of cells) Atomics.add(this.#cells, this.#own + cell, count);
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

  #cellsOf(name: string): readonly number[] {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const digest = hash("sha256", this.#secret + name, "buffer");
    const perRow = (this.#perWorker - 1) / ROWS;
    const cells = Array.from(
      { length: ROWS },
      (_, row) => 1 + row * perRow + (digest.readUInt32LE(4 * row) % perRow),
    );
    if (this.#named.size >= NAMES_MAX) this.#named.clear();
    this.#named.set(name, cells);
    return cells;
  }
}
