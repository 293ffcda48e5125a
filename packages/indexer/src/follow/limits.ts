import { getHeapStatistics } from "node:v8";
import { memoryBound } from "@lamplight/core";

// Bounds of following. Beyond them only finalized slots are derived, and underived staged slots are dropped. The
// stream is ignored, a gap is reported, and the source must restart.

/** Slots kept as received, until they are finalized: more than servers replay after a disconnect. */
export const STAGED_SLOTS_MAX = 4096;
/** Account versions and transactions kept as received, all slots together; each takes some 400 bytes of the heap. */
export const stagedVersionsMax: number = Math.min(
  4_000_000,
  Math.floor(getHeapStatistics().heap_size_limit / 1024),
);
/** Account data and transactions kept as received, all slots together. */
export const stagedBytesMax = (): number => memoryBound(1 / 4, 4 * 1024 ** 3);
/** Updates, and bytes of their data, between two checks of these bounds. */
export const UPDATES_PER_CHECK = 10_000;
export const BYTES_PER_CHECK = 64 * 1024 ** 2;
/** Banks of one slot that one stream reports, and numbers of dropped ones that are remembered. */
export const BANKS_PER_SLOT_MAX = 16;
/**
 * Confirmed or finalized slots lie near each other. If two are further apart than this, the one reported later
 * counts.
 */
export const AGREED_APART_MAX = 20_000;
/** Accounts per read, when all accounts of a store are needed. */
export const ACCOUNTS_PER_PAGE_MAX = 1000;

/** A slot that the stream was asked to replay is missing if the stream reports slots of so much later before it. */
export const EXPECTED_AGAIN_SECONDS = 3.2;
