import { hash, randomBytes } from "node:crypto";

import type { Limits } from "../limits.ts";

/** Where all workers of a process count connections: each in cells of its own, which the others read. */
export interface CountsMemory {
  readonly buffer: SharedArrayBuffer;
  readonly workers: number;
  /** Makes the cells of an address unknown to callers. */
  readonly secret: string;
}

/** An address has a cell in each row. The lowest count is its own, unless another address shares all of its cells. */
const ROWS = 4;

/** @param connections - at most */
export const createCountsMemory = (connections: number, workers: number): CountsMemory => {
  const cells = 1 + ROWS * 2 ** Math.ceil(Math.log2(connections));
  const buffer = new SharedArrayBuffer(workers * cells * Int32Array.BYTES_PER_ELEMENT);
  return { buffer, workers, secret: randomBytes(16).toString("hex") };
};

/** Forgets what a worker has counted that is gone. */
export const clearCounts = ({ buffer, workers }: CountsMemory, worker: number): void => {
  const bytes = buffer.byteLength / workers;
  new Int32Array(buffer, worker * bytes, bytes / Int32Array.BYTES_PER_ELEMENT).fill(0);
};

/** Bounds connections, over all workers of a process. */
export class ConnectionCounts {
  readonly #limits: Pick<Limits, "connections" | "connectionsPerAddress">;
  readonly #all: Int32Array;
  readonly #secret: string;
  /** Cells of one worker: the total, then the rows. */
  readonly #cells: number;
  /** Index of the own cells. */
  readonly #own: number;

  /** @param worker - from 0 */
  constructor(
    { buffer, workers, secret }: CountsMemory,
    worker: number,
    limits: Pick<Limits, "connections" | "connectionsPerAddress">,
  ) {
    this.#limits = limits;
    this.#all = new Int32Array(buffer);
    this.#secret = secret;
    this.#cells = this.#all.length / workers;
    this.#own = worker * this.#cells;
  }

  /** False, and nothing counted, where the most connections are open. */
  enter(): boolean {
    return this.#enter([0], this.#limits.connections);
  }

  leave(): void {
    this.#add([0], -1);
  }

  /** The same of one address. */
  enterAddress(address: string): boolean {
    return this.#enter(this.#cellsOf(address), this.#limits.connectionsPerAddress);
  }

  leaveAddress(address: string): void {
    this.#add(this.#cellsOf(address), -1);
  }

  /** Counts first and looks then: two workers that count at the same time never both pass the bound. */
  #enter(cells: readonly number[], max: number): boolean {
    this.#add(cells, 1);
    if (Math.min(...cells.map((cell) => this.#sum(cell))) <= max) return true;
    this.#add(cells, -1);
    return false;
  }

  #add(cells: readonly number[], count: number): void {
    for (const cell of cells) Atomics.add(this.#all, this.#own + cell, count);
  }

  #sum(cell: number): number {
    let sum = 0;
    for (let at = cell; at < this.#all.length; at += this.#cells) sum += Atomics.load(this.#all, at);
    return sum;
  }

  #cellsOf(address: string): readonly number[] {
    const digest = hash("sha256", this.#secret + address, "buffer");
    const perRow = (this.#cells - 1) / ROWS;
    return Array.from(
      { length: ROWS },
      (_, row) => 1 + row * perRow + (digest.readUInt32LE(4 * row) % perRow),
    );
  }
}
