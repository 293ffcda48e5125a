/** The limits of a key; null = none of this kind. */
export interface KeyLimits {
  /** Calls a second. A call of a batch counts as one. */
  readonly requestsPerSecond: number | null;
  /** Cost units a second. */
  readonly unitsPerSecond: number | null;
  /** Calls a day, which begins at 00:00 UTC. */
  readonly requestsPerDay: number | null;
  readonly unitsPerDay: number | null;
  /** Requests in progress at once. A batch is one. */
  readonly concurrency: number | null;
  /** Calls in one batch; never more than `limits.batchCalls` of the server. */
  readonly batchCalls: number | null;
  /** Methods that it may call; null = all. */
  readonly methods: readonly string[] | null;
}

/** A key as a key store holds it: never the key itself. */
export interface KeyRecord {
  /** The name that lists, logs and metrics show. */
  readonly name: string;
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  /** ISO 8601, as the other times. */
  readonly created: string;
  /** Null = it does not expire. */
  readonly expires: string | null;
  /** Since when it is disabled; null = it is not. */
  readonly disabled: string | null;
  /** The key before the last rotation, which is valid until a time. */
  readonly previous: { readonly hash: string; readonly until: string } | null;
  readonly limits: KeyLimits;
}

export const noLimits: KeyLimits = {
  requestsPerSecond: null,
  unitsPerSecond: null,
  requestsPerDay: null,
  unitsPerDay: null,
  concurrency: null,
  batchCalls: null,
  methods: null,
};

/** The greatest value of each limit that is a number; the least is 1. */
export const limitMaxima = {
  requestsPerSecond: 1_000_000,
  unitsPerSecond: 100_000_000,
  requestsPerDay: 1_000_000_000_000,
  unitsPerDay: 1_000_000_000_000,
  concurrency: 100_000,
  batchCalls: 10_000,
} as const;

export type NumberLimit = keyof typeof limitMaxima;

export const numberLimits = Object.keys(limitMaxima) as readonly NumberLimit[];

/** Keys of one store. Each has counters in memory, and one more series of metrics at most. */
export const STORED_KEYS_MAX = 20_000;
