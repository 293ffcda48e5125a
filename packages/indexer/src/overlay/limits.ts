import { getHeapStatistics } from "node:v8";
import { memoryBound } from "@lamplight/core";

// Every bound of the overlay. Beyond one of them it refuses or gives up with a named error, and never grows on.

/** Slots above the finalized slot that may be kept, all forks together: about twice what a healthy chain has. */
export const unfinalizedSlotsMax = 256;
/** Account versions above the finalized slot that may be kept, all forks together. */
export const unfinalizedVersionsMax: number = Math.min(
  2_000_000,
  Math.floor(getHeapStatistics().heap_size_limit / 2048),
);
/**
 * Bytes above the finalized slot that may be kept, all forks together: account data, and the transactions that slots were reported
 * with, which the follower keeps until they are finalized. Less than may be staged in all, so that this is reached first.
 */
export const unfinalizedBytesMax = (): number => memoryBound(1 / 8, 2 * 1024 ** 3);
/** Assets derived above the finalized slot that may be kept, all forks together. */
export const unfinalizedAssetsMax = 500_000;
/** Memory of those assets: at most a quarter of the heap that this process may use. */
export const unfinalizedAssetBytesMax: number = Math.min(1024 ** 3, getHeapStatistics().heap_size_limit / 4);
/** Account versions in one root commit; more slots than fit take several, each a whole number of slots. */
export const versionsPerRootCommitMax = 100_000;
/** Times a view is opened again when the finalized slot moved in between. */
export const viewAttemptsMax = 8;
/** Finalized facts kept of assets that unfinalized slots change. */
export const baseFactsMax = 200_000;
/** What one slot changes, decompressed, when another process shows it. */
export const slotBodyBytesMax = (): number => memoryBound(1 / 8, 1024 ** 3);
/** How often a process that serves next to the writer looks for new slots. */
export const sharedPollMs = 50;
