// Bounds and deadlines of one stream.

/** Largest message: an account of 10 MiB with its envelope, with room. */
export const messageBytesMax = 64 * 1024 * 1024;
/** HTTP/2 window: what may be under way before we have read it. */
export const flowControlBytes = 8 * 1024 * 1024;
/** Events waiting for the index; beyond it the stream is not read on, and the server may cut us off as too slow. */
export const queuedEventsMax = 100_000;
export const keepaliveMs = 10_000;
/** Servers ping every 10 to 15 seconds: longer silence is a dead stream. */
export const silenceMsMax = 60_000;
export const retryMsFirst = 500;
export const retryMsMax = 30_000;
/** Least time between two streams that we begin anew because a slot is missing. */
export const renewMsMin = 5_000;
