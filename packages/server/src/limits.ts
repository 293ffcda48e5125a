import { ANSWER_BYTES_MAX, memoryBound } from "@lamplight/core";

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
  /** Bytes of the answer to one call; larger ones are refused. */
  readonly answerBytes: number;
  /** Sum of the answers of one batch, in characters; later calls of the batch are refused. */
  readonly batchReplyChars: number;
  /** An idle connection is kept this long. Solana's web3.js reuses sockets up to 19 s. */
  readonly keepAliveMs: number;
  /** Open connections, of all workers together; further ones are closed at once. */
  readonly connections: number;
  /** Open connections of one IPv4 address or IPv6 /64 network; further ones get 503. With `trustProxy`, requests in progress of one such address instead. */
  readonly connectionsPerAddress: number;
  /** Requests of one connection in progress; further ones wait. */
  readonly connectionRequests: number;
  /** Bytes of answers that the caller of one connection has not read at which its next request waits. */
  readonly connectionOwedBytes: number;
  /** The same of all connections together: at this many, new requests get 503. */
  readonly owedBytes: number;
  /** Requests of all connections that were received and wait to be started; a connection that brings one more gets 503 and is closed. */
  readonly waitingRequests: number;
  /** Answers that are compressed at a time, each on a thread of Node's pool; others are sent as they are. */
  readonly compressions: number;
  /** A caller has this long to read an answer, and a second more for each `takeBytesPerSecond` of it. */
  readonly takeTimeoutMs: number;
  /** Bytes a second that a caller reads at least. */
  readonly takeBytesPerSecond: number;
  /** Bytes of request bodies of all connections that are being received or whose calls are not answered; a further one over 4 KiB gets 503. */
  readonly bodiesBytes: number;
  /** Requests with calls that wait to be started; further ones are refused. */
  readonly callQueue: number;
  /** Processor time after which calls that have had to wait without a break count as overload. */
  readonly overloadAfterMs: number;
  /** Under overload, a call is refused after it has waited for so much processor time. */
  readonly overloadWaitMs: number;
  /** While fewer requests wait than this, none is refused: a few callers that wait for each answer are no overload. */
  readonly overloadQueue: number;
  /** Processor time of one round of the event loop; where all rounds take longer for `overloadAfterMs`, calls are refused, cheap ones at twice the delay. */
  readonly loopDelayMs: number;
  /** Read views that requests hold at once, batches three quarters of them. */
  readonly readViews: number;
  /** Read views that the requests of one key hold at once, where there are several keys. */
  readonly readViewsPerKey: number;
  /** Requests that wait for a read view; further ones get 503. */
  readonly viewQueue: number;
  /** A request waits this long for a read view, then gets 503; a 40th of it where at least `overloadQueue` wait and those of its key have waited without a break for an eighth of it. */
  readonly viewWaitMs: number;
  /** Wrong keys from one address that are refused at full speed; further keys from it are checked one after another. */
  readonly wrongKeys: number;
  /** Time between two such checks. An address that sends no wrong key for a minute is free again. */
  readonly wrongKeyDelayMs: number;
  /** From the stop signal until new connections are refused; `/readyz` answers 503 in the meantime. */
  readonly lameDuckMs: number;
  /** From then on until calls still running are cut off. */
  readonly drainMs: number;
}

export const defaultLimits: Limits = {
  bodyBytes: 256 << 10,
  bodyTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  callTimeoutMs: 30_000,
  batchCalls: 100,
  batchConcurrency: 8,
  answerBytes: ANSWER_BYTES_MAX,
  batchReplyChars: 64 << 20,
  keepAliveMs: 65_000,
  connections: 10_000,
  connectionsPerAddress: 2500,
  connectionRequests: 8,
  connectionOwedBytes: 1 << 20,
  // Read where settings are resolved: `LAMPLIGHT_MEMORY_BYTES` may be wrong.
  get owedBytes() {
    return memoryBound(1 / 16, 256 << 20);
  },
  waitingRequests: 8192,
  compressions: 2,
  takeTimeoutMs: 30_000,
  takeBytesPerSecond: 256 << 10,
  get bodiesBytes() {
    return memoryBound(1 / 128, 32 << 20);
  },
  callQueue: 4096,
  overloadAfterMs: 250,
  overloadWaitMs: 25,
  overloadQueue: 64,
  loopDelayMs: 200,
  readViews: 16,
  readViewsPerKey: 8,
  viewQueue: 1024,
  viewWaitMs: 2000,
  wrongKeys: 10,
  wrongKeyDelayMs: 200,
  lameDuckMs: 0,
  drainMs: 10_000,
};

/** Bytes of a refused body that are read and dropped, so that a client still sending can read the refusal. */
export const DISCARDED_BYTES_MAX = 64 << 20;
