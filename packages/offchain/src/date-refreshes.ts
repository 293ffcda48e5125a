// Gives documents the date of their next request by age: those that were fetched without one, or for a longer age.

import { setTimeout as sleep } from "node:timers/promises";
import type { OffchainStore } from "@lamplight/core";
import { varied } from "./retry-delay.ts";

/** Rows read in one transaction. */
const STEP_ROWS = 1000;
/** Milliseconds between two transactions, so that the walk takes little of the store's time. */
const STEP_PAUSE_MS = 50;

/** Walks over all rows once, at up to 20,000 a second. A date that `settle` gave for this age stays. */
export const dateRefreshes = async (
  store: Pick<OffchainStore, "dateRefreshes">,
  refreshMs: number,
  signal: AbortSignal,
): Promise<void> => {
  const age = { ms: refreshMs, msMax: varied(refreshMs, 1) };
  let after: string | null = null;
  do {
    if (after !== null) await sleep(STEP_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    after = await store.dateRefreshes(after, STEP_ROWS, age);
  } while (after !== null && !signal.aborted);
};
