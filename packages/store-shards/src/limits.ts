import { memoryBound } from "@lamplight/core";

/** Milliseconds between the publication of a delta and its first row: for so long, the last look of a view succeeds. */
export const HOLD_BACK_MS = 2500;
/** Milliseconds for which the body of a settled delta stays. A reader that is behind reads it by its number. */
export const SETTLED_BODY_MS = 60_000;
/** Deltas whose rows are written as one step. */
export const DELTAS_PER_STEP_MAX = 64;
/** Deltas that are published and not settled. Then commits wait, which bounds the memory of readers too. */
export const UNSETTLED_DELTAS_MAX = 2000;
/** Bytes of those, as they are stored. */
export const unsettledBytesMax = (): number => memoryBound(1 / 32, 512 * 1024 ** 2);
/** Milliseconds between two attempts to write to a shard that cannot be written: the first wait, and the longest. */
export const RETRY_FIRST_MS = 100;
export const RETRY_MAX_MS = 5000;
/** Attempts to answer the first reads of a call at one slot. */
export const FIRST_READ_ATTEMPTS = 3;
/** Without an index in memory, a search reads every asset: only in a store that has seen no more changes than this. */
export const SEARCH_CHANGES_MAX = 100_000;
