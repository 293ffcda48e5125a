import { ANSWER_BYTES_MAX, memoryBound } from "@lamplight/core";

/**
 * The bounds that an operator may set. Bounds that follow from these, or that fit every machine, are constants next to
 * the code that they bound.
 */
export interface Limits {
  /** Largest request body, also after decompression. */
  readonly bodyBytes: number;
  /** From the first byte of a request to the end of its headers, and from there to the end of its body. */
  readonly receiveTimeoutMs: number;
  /** Time from the whole body to the reply. A request waits a 15th of it for a read view. */
  readonly callTimeoutMs: number;
  /** Calls in one batch. */
  readonly batchCalls: number;
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
  /** Bytes of answers that callers have not read, over all connections: at this many, new requests get 503. Request bodies may have a quarter of it besides. */
  readonly owedBytes: number;
  /** Requests of all connections that were received and wait: on their connection, or to be admitted. Further ones get 503. */
  readonly waitingRequests: number;
  /** A caller who takes nothing of an answer for so long is disconnected. */
  readonly takeTimeoutMs: number;
  /** Read views that requests hold at once: batches three quarters of them, and one key half of them where there are several. */
  readonly readViews: number;
  /** Wrong keys from one address after which it is slowed: ten further keys from it are checked at once, and then five a second. */
  readonly wrongKeys: number;
  /** From the stop signal until new connections are refused; `/readyz` answers 503 in the meantime. */
  readonly lameDuckMs: number;
  /** Time from then on until calls still running are cut off. */
  readonly drainMs: number;
}

/** The most that a connection takes: eight small answers that are not taken, and a head that is being received. */
const CONNECTION_BYTES = 48 << 10;
/** The most that a request takes which waits on its connection: what is read behind the one before it. */
const WAITING_BYTES = 80 << 10;

/** So many things as fit into a share of memory. */
const thatFit = (share: number, bytes: number, most: number): number =>
  Math.floor(memoryBound(share, most * bytes) / bytes);

export const defaultLimits: Limits = {
  bodyBytes: 256 << 10,
  receiveTimeoutMs: 10_000,
  callTimeoutMs: 30_000,
  batchCalls: 100,
  answerBytes: ANSWER_BYTES_MAX,
  batchReplyChars: 64 << 20,
  keepAliveMs: 65_000,
  // These are read where settings are resolved: `LAMPLIGHT_MEMORY_BYTES` may be wrong.
  get connections() {
    return thatFit(1 / 4, CONNECTION_BYTES, 10_000);
  },
  get connectionsPerAddress() {
    return Math.ceil(this.connections / 4);
  },
  get owedBytes() {
    return memoryBound(1 / 16, 256 << 20);
  },
  get waitingRequests() {
    return thatFit(1 / 8, WAITING_BYTES, 8192);
  },
  takeTimeoutMs: 30_000,
  readViews: 16,
  wrongKeys: 10,
  lameDuckMs: 0,
  drainMs: 10_000,
};

/** A caller that takes so many bytes a second of an answer keeps its connection; less than half, over `takeTimeoutMs`, is nothing. */
export const STEADY_BYTES_S = 256;

/** Bytes of a refused body that are read and dropped, so that a client still sending can read the refusal. */
export const DISCARDED_BYTES_MAX = 64 << 20;
