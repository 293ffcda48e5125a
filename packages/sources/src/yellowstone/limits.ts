import { memoryBound } from "@lamplight/core";

// Bounds and deadlines of one stream.

/** Largest message: an account of 10 MiB with its envelope, with room. */
export const messageBytesMax = 64 * 1024 * 1024;
/** HTTP/2 window: what may be under way before we have read it. */
export const flowControlBytes = 8 * 1024 * 1024;
/** Events waiting for the index; beyond it the stream is not read on, and the server may cut us off as too slow. */
export const queuedEventsMax = 100_000;
/** The messages that these events came in, together. */
export const queuedBytesMax = (): number => memoryBound(1 / 16, 512 * 1024 * 1024);
export const keepaliveMs = 10_000;
/** Servers ping every few seconds; more pings than these get no answers of their own. */
export const pongsPerSecondMax = 10;
/** There are two slots and more a second: a server that reports none for so long does not follow the chain itself. */
export const silenceMsMax = 60_000;
/** Connections to a server that has never answered, about 15 seconds. */
export const firstAttemptsMax = 6;
export const retryMsFirst = 500;
export const retryMsMax = 30_000;
/** Before a server is asked again that refused us after it had worked. */
export const refusedMs = 30_000;
/** For what still waits when following is to end: less than services are given before they are killed. */
export const drainMsMax = 5_000;
/** A stream that lasted so long and reported something counts for good: after a shorter one the next waits longer. */
export const steadyMsMin = 5_000;
/** Least time between two streams that we restart because a slot is missing. */
export const renewMsMin = 5_000;
/**
 * A slot that is so much newer than the newest that its stream has reported, two hours and more, is trouble and no data: a
 * chain that stood still for so long begins with new streams.
 */
export const slotJumpMax = 20_000;
/** Slots that a server may forget while we ask it for the oldest it has; once it has done so. */
export const replayMarginSlots = 2;
/** Refused replays in a row, after which the server is given time. */
export const replayRefusalsMax = 3;

/**
 * Blocks read from an RPC node at once for what a stream has lost, some twenty minutes: more is the business of a
 * snapshot. The stream goes on while they are read and is kept as it comes, of the whole chain at 12,000 updates a second
 * for some five minutes (`stagedVersionsMax`); what is lost by then is read next, and so on.
 */
export const gapBlocksMax = 3000;
/** Blocks read one time after the other: a node that is read more slowly than the chain goes would never be done. */
export const gapBlocksInAllMax = 9000;
/** As many as there are calls at once; a block with its text may take a quarter of a gigabyte. */
export const gapBlocksAtOnceMax = 8;
/** Different accounts that these blocks may have written, each of which is read. */
export const gapAccountsMax = 4_000_000;
/** Of those that are kept, until the stream is finalized so far: their data, and for each what it takes in addition. */
export const gapBytesMax = (): number => memoryBound(1 / 4, 3 * 1024 ** 3);
export const keptAccountBytes = 400;
/** One block with all its transactions. */
export const gapBlockBytesMax = 256 * 1024 * 1024;
/** For an answer at a slot that the node may still have to finalize. */
export const gapFinalMsMax = 60_000;

/** After the end of a slot that a stream may have joined in its midst, before it is asked for again. */
export const askAgainMs = 100;

/** Slots up to the newest of those that are asked for again: only the last ones can have been running. */
export const doubtfulSlotsMax = 4;
