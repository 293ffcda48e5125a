import { memoryBound } from "@lamplight/core";

// Bounds and deadlines of one stream.

/** Largest message: an account of 10 MiB with its envelope, with room. */
export const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;
/** HTTP/2 window: bytes that may be received before they are read. */
export const FLOW_CONTROL_BYTES = 8 * 1024 * 1024;
/** Events that wait for the index. Beyond it the stream is not read, and the server may end it for being too slow. */
export const QUEUED_EVENTS_MAX = 100_000;
/** Bytes of the messages of these events. */
export const queuedBytesMax = (): number => memoryBound(1 / 16, 512 * 1024 * 1024);
export const KEEPALIVE_MS = 10_000;
/** Servers ping every few seconds. Pings beyond this number are not answered. */
export const PONGS_PER_SECOND_MAX = 10;
/** A chain has two slots and more a second. A server that reports none for so long does not follow it. */
export const SILENCE_MS_MAX = 60_000;
/** Attempts to connect to a server that has never answered; they take about 15 seconds. */
export const FIRST_ATTEMPTS_MAX = 6;
export const RETRY_MS_FIRST = 500;
export const RETRY_MS_MAX = 30_000;
/** Wait before a server is called again that refused us after it had worked. */
export const REFUSED_MS = 30_000;
/** Milliseconds for waiting events when following is stopped: less than the time before a service is killed. */
export const DRAIN_MS_MAX = 5_000;
/**
 * A stream of this duration that reported something counts as successful. After a shorter one, the next waits longer.
 */
export const STEADY_MS_MIN = 5_000;
/** Least time between two restarts of a stream for a missing slot. */
export const RENEW_MS_MIN = 5_000;
/**
 * A slot that is so much newer than the newest of its stream is rejected. After so long a halt of the chain, streams
 * start again.
 */
export const JUMP_SECONDS_MAX = 8000;
/** A server may remove the slots of this time while we request its oldest one; used after that happened once. */
export const REPLAY_MARGIN_SECONDS = 0.8;
/** Refused replays in a row after which the next one waits. */
export const REPLAY_REFUSALS_MAX = 3;

/**
 * Blocks read at once from an RPC node for a gap: a longer gap needs a snapshot. The stream continues during the read.
 * Its updates are kept for some five minutes at 12,000 a second (`stagedVersionsMax`).
 * Slots that are lost by then are read next.
 */
export const GAP_SECONDS_MAX = 20 * 60;
/** Blocks read in a row for one gap: with a node slower than the chain, reading would never end. */
export const GAP_SECONDS_IN_ALL_MAX = 60 * 60;
/** Concurrent calls. A block as text may take a quarter of a gigabyte. */
export const GAP_BLOCKS_AT_ONCE_MAX = 8;
/** Different accounts that these blocks wrote, each of which is read. */
export const GAP_ACCOUNTS_MAX = 4_000_000;
/** Memory of the kept accounts until the stream is finalized that far: their data and the overhead of each. */
export const gapBytesMax = (): number => memoryBound(1 / 4, 3 * 1024 ** 3);
export const KEPT_ACCOUNT_BYTES = 400;
/** One block with all its transactions. */
export const GAP_BLOCK_BYTES_MAX = 256 * 1024 * 1024;
/** The bound holds for a call at a slot that the node may not have finalized yet. */
export const GAP_FINAL_MS_MAX = 60_000;

/** Wait after the last end of a slot whose start the stream may have missed, before such slots are requested again. */
export const ASK_AGAIN_MS = 100;

/**
 * Slots up to this time below the newest one are requested again: usually only the last ones can have been running at the
 * start. Older ones are requested where the chain needs them.
 */
export const DOUBTFUL_SECONDS_MAX = 1.6;
/** Slots of each kind that are remembered for that: more than servers replay. */
export const DOUBTFUL_SLOTS_KEPT_MAX = 4096;
