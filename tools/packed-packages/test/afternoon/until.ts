import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 50;
/** Far above what a step needs: only a step that hangs gets here. */
const WAIT_MS_MAX = 300_000;

/**
 * Looks until there is something.
 *
 * @param describe - what is there instead, for the error of a step that hangs
 */
export const until = async <Found>(
  look: () => Promise<Found | null> | Found | null,
  describe: () => string = () => look.toString(),
): Promise<Found> => {
  const endMs = performance.now() + WAIT_MS_MAX;
  while (performance.now() < endMs) {
    const found = await look();
    if (found !== null) return found;
    await sleep(LOOK_MS);
  }
  throw new Error(`nothing was found in ${WAIT_MS_MAX / 1000} s: ${describe()}`);
};
