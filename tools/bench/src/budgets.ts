import type { Budget } from "./bench.ts";

/** The budgets of all figures, in one place. Every one is a ratio within one run, except for those in milliseconds. */
export const budgets = {
  /** getAccountInfo and getAsset, next to a bare server with the same read. Both read HTTP with node:http. */
  requestRateOverBare: { atLeast: 0.65 },
  /** Time of a read behind an account method over the time of the bare statement it rests on. */
  readTimeOverBare: { atMost: 2 },
  /** Processor time of getAccountInfo with keys, metrics and an access log of 1 %, over that without. */
  keyTimeOverListed: { atMost: 1.03 },
  /** Time of a scan over the time of by-delegate and top-20 reads. */
  scanTimeOverRead: { atLeast: 100 },
  /** Rate of decoding and deriving over the rate of decoding alone with a program's official JavaScript library. */
  decodeRateOverLibrary: { atLeast: 10 },
  /** Milliseconds of the total and the page of one search, 99th percentile, on a quiet machine. */
  searchP99Ms: { atMost: 10 },
  /** The same of the index alone, at any size up to 20 million assets. */
  searchAloneP99Ms: { atMost: 25 },
  /** Time until a saved search index answers over the time of a fill from the store. */
  startTimeOverFill: { atMost: 0.1 },
  /** Time of a broad search in plain SQL over ours. */
  sqlTimeOverSearch: { atLeast: 50 },
  /** Milliseconds of processor time of one turn of the event loop while expensive calls are answered, 99th percentile. */
  turnP99Ms: { atMost: 50 },
  /** The same for a single statement, one document of 2 MiB or one account of 10 MiB. */
  singleTurnMs: { atMost: 250 },
  /** p99 of accepted calls at three times the sustainable load over the p99 at half of it. */
  overloadP99: { atMost: 5 },
  /** Milliseconds of creating a test chain in a process that has made one, on a quiet machine. */
  testChainWarmMs: { atMost: 50 },
  /** The same in a new process, with the import of the package. */
  testChainColdMs: { atMost: 300 },
  /** Milliseconds of a thousand mints of one kind. */
  testChainMintsMs: { atMost: 1000 },
  /** Requests for the same processor time with two workers, over those of one: 2 where workers cost nothing. */
  workersRate: { atLeast: 1.7 },
  /** Share of two workers' time that the busier one has: the system spreads connections by a hash. */
  busiestWorkerShare: { atMost: 0.65 },
  /** Memory of a further worker at rest, beyond 1.2 times that of one, in MB. */
  workerMegabytes: { atMost: 100 },
} as const satisfies { readonly [name: string]: Budget };
