import { STORED_KEYS_MAX } from "../key-store/key-record.ts";
import { meteredNames } from "../key-store/key-costs.ts";

/** Cells of one key: two buckets, two sums of the day, then a pair for each method, then the refusals. */
const PAIRS_AT = 4;
const refusalsAt = PAIRS_AT + 2 * meteredNames.length;

/** The reasons for which a key refuses calls. */
export const keyRefusals = ["key", "rate", "quota"] as const;

export type KeyRefusal = (typeof keyRefusals)[number];

const perKey = refusalsAt + keyRefusals.length;

/** Where all threads count the calls of keys. A worker that ends leaves nothing behind but its `inProgress`. */
export interface KeyCellsMemory {
  /** A row of cells for each worker, and one for the main thread. */
  readonly counts: SharedArrayBuffer;
  /** One for each key, not 0 when it has calls that the main thread has not read. */
  readonly changed: SharedArrayBuffer;
  /** Requests in progress, in cells of each worker. */
  readonly inProgress: SharedArrayBuffer;
  readonly workers: number;
  /** From which `clockOf` counts. */
  readonly startedNs: bigint;
}

export const createKeyCells = (workers: number): KeyCellsMemory => ({
  counts: new SharedArrayBuffer((workers + 1) * ROW_CELLS * Float64Array.BYTES_PER_ELEMENT),
  changed: new SharedArrayBuffer(STORED_KEYS_MAX * Int32Array.BYTES_PER_ELEMENT),
  inProgress: new SharedArrayBuffer(workers * STORED_KEYS_MAX * Int32Array.BYTES_PER_ELEMENT),
  workers,
  startedNs: process.hrtime.bigint(),
});

const NS_OF_MS = 1_000_000;

/** Whole nanoseconds of a clock that all threads share, and that never goes back: exact for the first hundred days of a process. */
export const clockOf = ({ startedNs }: Pick<KeyCellsMemory, "startedNs">): (() => number) => {
  const aheadNs = Number(process.hrtime.bigint() - startedNs) - performance.now() * NS_OF_MS;
  return () => Math.round(performance.now() * NS_OF_MS + aheadNs);
};

/**
 * The counts of keys as one thread uses them. A value is the sum of its cells in all rows, and a worker writes only in its own
 * row. So no write has to be atomic: atomic sums of 64 bits would cost a hundredth of a call each.
 */
export class KeyCells {
  readonly #cells: Float64Array;
  /** First cell of the row of this thread, and of the main thread. */
  readonly #own: number;
  readonly #main: number;

  /** @param worker - from 0; null = the main thread, where it counts no calls */
  constructor({ counts, workers }: KeyCellsMemory, worker: number | null = null) {
    this.#cells = new Float64Array(counts);
    this.#main = workers * ROW_CELLS;
    this.#own = worker === null ? this.#main : worker * ROW_CELLS;
  }

  /** The value of all threads together. */
  sum(cell: number): number {
    return this.sumOfWorkers(cell) + this.ofMain(cell);
  }

  /** The same without the row of the main thread. */
  sumOfWorkers(cell: number): number {
    let sum = 0;
    for (let at = cell; at < this.#main; at += ROW_CELLS) sum += this.#cells[at]!;
    return sum;
  }

  /** The cell in the row of the main thread. */
  ofMain(cell: number): number {
    return this.#cells[this.#main + cell]!;
  }

  /** Adds in the row of this thread. */
  add(cell: number, amount: number): void {
    this.#cells[this.#own + cell]! += amount;
  }

  /** Writes in the row of the main thread. */
  setMain(cell: number, value: number): void {
    this.#cells[this.#main + cell] = value;
  }
}

/** Forgets the requests of a worker that is gone. */
export const clearInProgress = ({ inProgress }: KeyCellsMemory, worker: number): void => {
  const bytes = STORED_KEYS_MAX * Int32Array.BYTES_PER_ELEMENT;
  new Int32Array(inProgress, worker * bytes, STORED_KEYS_MAX).fill(0);
};

/**
 * Time between two writes of what was counted. A process that is killed loses so much, and servers that share a store know
 * of each other's calls after twice so much.
 */
export const USAGE_FLUSH_MS = 5000;

const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;

/** Hours and days in UTC since 1970, for which calls are summed up. */
export const hourNow = (): number => Math.floor(Date.now() / HOUR_MS);
export const dayOf = (hour: number): number => Math.floor(hour / HOURS_OF_DAY);

/** Time at which keys were read last, in the row of the main thread. */
export const READ_AT = 0;
/** The day that the sums of the day belong to, in the row of the main thread. */
export const SUMS_DAY = 1;
/** Places of the counters of a key, which has a slot. */
const KEYS_FROM = 2;
/** Cells of one thread. */
export const ROW_CELLS = KEYS_FROM + STORED_KEYS_MAX * perKey;
export const cellOf = (slot: number): number => KEYS_FROM + slot * perKey;
/** Time at which a bucket is full again. */
export const REQUESTS_FULL_AT = 0;
export const UNITS_FULL_AT = 1;
export const DAY_REQUESTS = 2;
export const DAY_UNITS = 3;
/** @param method - index in `meteredNames` */
export const requestsOf = (method: number): number => PAIRS_AT + 2 * method;
export const unitsOf = (method: number): number => PAIRS_AT + 2 * method + 1;
export const refusalOf = (reason: KeyRefusal): number => refusalsAt + keyRefusals.indexOf(reason);
