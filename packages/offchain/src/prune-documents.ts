// Removes the rows of URIs that no asset names any more.

import { setTimeout as sleep } from "node:timers/promises";
import type { OffchainStore, OrphansStep } from "@lamplight/core";

/** Rows read in one transaction. */
const STEP_ROWS = 500;
/** Milliseconds between two transactions, so that a sweep takes little of the store's time. */
const STEP_PAUSE_MS = 100;

/**
 * Walks over all rows once, at up to 5,000 a second. Removes what no asset names and was first seen before `beforeMs`.
 * An asset that names such a URI again gets its document again. Answers the number of rows removed.
 */
export const pruneDocuments = async (
  store: Pick<OffchainStore, "removeOrphans">,
  beforeMs: number,
  signal: AbortSignal,
): Promise<number> => {
  let [removed, after] = [0, null as string | null];
  do {
    if (after !== null) await sleep(STEP_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    const step: OrphansStep = (await store.removeOrphans?.(after, STEP_ROWS, beforeMs)) ?? ended;
    removed += step.removed;
    after = step.after;
  } while (after !== null && !signal.aborted);
  return removed;
};

const ended: OrphansStep = { removed: 0, after: null };
