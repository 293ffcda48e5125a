import { getHeapStatistics } from "node:v8";
import { memoryBound } from "@lamplight/core";

// Every bound of the overlay. An overlay that would exceed a bound throws a named error and stops growing.

/**
 * Seconds for which slots may be added while none is finalized. A healthy chain finalizes a slot within 15 seconds. A
 * cluster that changes its consensus stands still for seconds to minutes.
 */
export const STANDSTILL_SECONDS_MAX = 300;
/** Longest time between two slots that counts as a standstill of finality. In a longer one, the source is silent. */
export const STANDSTILL_STEP_MS_MAX = 10_000;
/** Slots above the finalized slot, all forks together: twice what the fastest chain adds in that time. */
export const UNFINALIZED_SLOTS_MAX = 3000;
/** Account versions above the finalized slot, all forks together. */
export const unfinalizedVersionsMax: number = Math.min(
  2_000_000,
  Math.floor(getHeapStatistics().heap_size_limit / 2048),
);
/**
 * Bytes above the finalized slot, all forks together: account data, and the transactions that the follower keeps
 * until they are finalized. Lower than the bound of staged bytes, so that this bound is reached first.
 */
export const unfinalizedBytesMax = (): number => memoryBound(1 / 8, 2 * 1024 ** 3);
/** Account data of so many bytes are kept and counted once, where slots leave them unchanged. */
export const SHARED_DATA_BYTES_MIN: number = 64 * 1024;
/** Assets derived above the finalized slot, all forks together. */
export const UNFINALIZED_ASSETS_MAX = 500_000;
/** Memory of those assets: at most a quarter of the heap that this process may use. */
export const unfinalizedAssetBytesMax: number = Math.min(1024 ** 3, getHeapStatistics().heap_size_limit / 4);
/** Account versions in one commit of finalized slots. More slots take several commits, each of complete slots. */
export const VERSIONS_PER_FINALIZED_COMMIT_MAX = 100_000;
/** Attempts to open a view while the finalized slot keeps moving. */
export const VIEW_ATTEMPTS_MAX = 8;
/** Cached facts of finalized assets that unfinalized slots change. */
export const FINALIZED_FACTS_MAX = 200_000;
/** Decompressed bytes of one slot that another process publishes. */
export const slotBodyBytesMax = (): number => memoryBound(1 / 8, 1024 ** 3);
/** Pages of a change of the coverage that wait, each with the accounts of `FILL_ACCOUNTS_PER_SLOT`. */
export const FILL_PAGES_WAITING_MAX = 64;
/** Accounts of such a page, and bytes of their data unless it is a single account. */
export const FILL_ACCOUNTS_PER_SLOT = 1000;
export const FILL_BYTES_PER_SLOT: number = 4 * 1024 ** 2;
/** Milliseconds between two polls for new slots in a process that serves next to the writer. */
export const SHARED_POLL_MS = 50;

/** Milliseconds for which no older confirmed slot is answered than before. After them, the store counts as restored. */
export const RESTORED_AFTER_MS = 60_000;
