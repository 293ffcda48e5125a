import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 10;
const LOOK_MS_MAX = 200;
/** The time between two looks, in times of a look. */
const LOOKS_APART = 4;

/**
 * Looks until something holds; the test's own deadline is the bound. A look may open a store. So one that takes long is
 * repeated less often, and leaves the processor to what the test waits for.
 */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (;;) {
    const startMs = performance.now();
    if (await holds()) return;
    const lookMs = performance.now() - startMs;
    await sleep(Math.min(LOOK_MS_MAX, Math.max(LOOK_MS, LOOKS_APART * lookMs)));
  }
};
