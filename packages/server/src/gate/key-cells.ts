import { STORED_KEYS_MAX } from "../key-store/key-record.ts";
import { meteredNames } from "../key-store/key-costs.ts";

/** Cells of one key: two buckets, two sums of the day, then a pair for each method, then the refusals. */
const PAIRS_AT = 4;
const refusalsAt = PAIRS_AT + 2 * meteredNames.length;

/** The reasons for which a key refuses calls. */
export const keyRefusals = ["key", "rate", "quota"] as const;

export type KeyRefusal = (typeof keyRefusals)[number];

const perKey = refusalsAt + keyRefusals.length;

/** Where all workers count the calls of keys, and the main thread reads them. A worker that ends leaves nothing behind but its `inProgress`. */
export interface KeyCellsMemory {
  readonly counts: SharedArrayBuffer;
  /** One for each key, not 0 when it has calls that the main thread has not read. */
  readonly changed: SharedArrayBuffer;
  /** Requests in progress, in cells of each worker. */
  readonly inProgress: SharedArrayBuffer;
  readonly workers: number;
}

export const createKeyCells = (workers: number): KeyCellsMemory => ({
  counts: new SharedArrayBuffer((KEYS_FROM + STORED_KEYS_MAX * perKey) * BigInt64Array.BYTES_PER_ELEMENT),
  changed: new SharedArrayBuffer(STORED_KEYS_MAX * Int32Array.BYTES_PER_ELEMENT),
  inProgress: new SharedArrayBuffer(workers * STORED_KEYS_MAX * Int32Array.BYTES_PER_ELEMENT),
  workers,
});

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

/** Nanoseconds of a clock that all threads share, and that never goes back. */
export const monotonicNs = (): bigint => process.hrtime.bigint();

/** Time at which keys were read last. */
export const READ_AT = 0;
/** The day that the sums of the day belong to. */
export const SUMS_DAY = 1;
/** Places of the counters of a key, which has a slot. */
const KEYS_FROM = 2;
export const cellOf = (slot: number): number => KEYS_FROM + slot * perKey;
export const REQUESTS_EMPTY_AT = 0;
export const UNITS_EMPTY_AT = 1;
export const DAY_REQUESTS = 2;
export const DAY_UNITS = 3;
/** @param method - index in `meteredNames` */
export const requestsOf = (method: number): number => PAIRS_AT + 2 * method;
export const unitsOf = (method: number): number => PAIRS_AT + 2 * method + 1;
export const refusalOf = (reason: KeyRefusal): number => refusalsAt + keyRefusals.indexOf(reason);
