// The configuration file, as a type. `lamplight.config.schema.json` is generated from it (`pnpm generate`), gives
// completion in editors, and is what the server checks a file against. Plain types only: each becomes JSON Schema.

/** The configuration file of `lamplight serve`. Flags and environment variables win over it. */
export interface LamplightConfig {
  /** Where this file's schema lies, for completion in editors. */
  $schema?: string;
  /**
   * Store to serve, as `sqlite:FILE` or `postgres://USER:PASSWORD@HOST/DATABASE`.
   * @minLength 1
   */
  store?: string;
  /**
   * Address to listen on. Default `127.0.0.1`: reachable from this machine only.
   * @minLength 1
   */
  host?: string;
  /**
   * Port to listen on; 0 picks a free one. Default 8899.
   * @TJS-type integer
   * @minimum 0
   * @maximum 65535
   */
  port?: number;
  /** Keys that may call. Letters, digits and `. _ ~ -`, at most 128 characters each. */
  keys?: string[];
  /**
   * A key that may be shown to anybody: the documentation's try-it panel and the playground link use it.
   * @pattern ^[A-Za-z0-9._~-]{1,128}$
   */
  publicKey?: string;
  /**
   * Scheme, host and port under which callers reach this server, when a proxy stands before it.
   * @pattern ^https?://[^/?#\s]+$
   */
  publicUrl?: string;
  /** Whose form the two answers have that differ; `auto` goes by the Solana-Client header. Default `auto`. */
  profile?: "auto" | "spec" | "agave";
  /** Commitment at which the asset methods read. Default `confirmed`. */
  assetCommitment?: "processed" | "confirmed" | "finalized";
  /**
   * Seconds an answer of getLargestAccounts may be reused; 0 = always fresh. Default 0.
   * @TJS-type integer
   * @minimum 0
   * @maximum 7200
   */
  largestAccountsCacheSeconds?: number;
  limits?: LimitsConfig;
  log?: LogConfig;
}

/** Bounds of the server. */
export interface LimitsConfig {
  /**
   * Largest request body in bytes, also after decompression. Default 1048576.
   * @TJS-type integer
   * @minimum 1024
   * @maximum 67108864
   */
  bodyBytes?: number;
  /**
   * From the end of the headers to the end of the body. Default 10000.
   * @TJS-type integer
   * @minimum 100
   * @maximum 600000
   */
  bodyTimeoutMs?: number;
  /**
   * From the first byte of a request to the end of its headers. Default 10000.
   * @TJS-type integer
   * @minimum 100
   * @maximum 600000
   */
  headersTimeoutMs?: number;
  /**
   * From the whole body to the reply. Default 30000.
   * @TJS-type integer
   * @minimum 100
   * @maximum 600000
   */
  callTimeoutMs?: number;
  /**
   * Calls in one batch. Default 100.
   * @TJS-type integer
   * @minimum 1
   * @maximum 10000
   */
  batchCalls?: number;
  /**
   * Calls of one batch under way at a time. Default 8.
   * @TJS-type integer
   * @minimum 1
   * @maximum 1000
   */
  batchConcurrency?: number;
  /**
   * Sum of the answers of one batch in characters. Default 67108864.
   * @TJS-type integer
   * @minimum 1024
   * @maximum 268435456
   */
  batchReplyChars?: number;
  /**
   * An idle connection is kept this long. Default 65000.
   * @TJS-type integer
   * @minimum 1000
   * @maximum 3600000
   */
  keepAliveMs?: number;
  /**
   * Open connections. Default 10000.
   * @TJS-type integer
   * @minimum 1
   * @maximum 1000000
   */
  connections?: number;
  /**
   * From the stop signal until calls still running are cut off. Default 10000.
   * @TJS-type integer
   * @minimum 0
   * @maximum 600000
   */
  drainMs?: number;
}

/** What is logged. */
export interface LogConfig {
  /** Default `info`. */
  level?: "debug" | "info" | "warn" | "error" | "silent";
  /**
   * Calls that take at least this long are logged. Default 1000.
   * @TJS-type integer
   * @minimum 1
   * @maximum 600000
   */
  slowCallMs?: number;
}
