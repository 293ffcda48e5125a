/** Every bound of the server, in one place. */
export interface Limits {
  /** Largest request body, also after decompression. */
  readonly bodyBytes: number;
  /** From the end of the headers to the end of the body. */
  readonly bodyTimeoutMs: number;
  /** From the first byte of a request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** From the whole body to the reply. */
  readonly callTimeoutMs: number;
  /** Calls in one batch. */
  readonly batchCalls: number;
  /** Calls of one batch under way at a time. */
  readonly batchConcurrency: number;
  /** Sum of the answers of one batch, in characters; later calls of the batch are refused. */
  readonly batchReplyChars: number;
  /** An idle connection is kept this long. Solana's web3.js reuses sockets up to 19 s. */
  readonly keepAliveMs: number;
  /** Open connections; further ones are closed at once. */
  readonly connections: number;
  /** From the stop signal until calls still running are cut off. */
  readonly drainMs: number;
}

export const defaultLimits: Limits = {
  bodyBytes: 1 << 20,
  bodyTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  callTimeoutMs: 30_000,
  batchCalls: 100,
  batchConcurrency: 8,
  batchReplyChars: 64 << 20,
  keepAliveMs: 65_000,
  connections: 10_000,
  drainMs: 10_000,
};

/** Bytes of a refused body that are read and dropped, so that a client still sending can read the refusal. */
export const DISCARDED_BYTES_MAX = 64 << 20;
