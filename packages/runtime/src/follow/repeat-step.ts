import { setTimeout as sleep } from "node:timers/promises";
import { isPassing } from "../store/when-store-available.ts";

/** Milliseconds from one step to the next. */
const PACE_MS = 1000;
/** Milliseconds after a failure. They double with each failure in a row, unless the store is unavailable for a while. */
const RETRY_MS_FIRST = 10_000;
const RETRY_MS_MAX = 300_000;

interface RepeatOptions {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Begins the line that reports a failure. A repeated line is reported once. */
  readonly failed: string;
}

/** Repeats a step until the signal aborts. */
export const repeatStep = async (
  step: () => Promise<void>,
  { signal, say, failed }: RepeatOptions,
): Promise<void> => {
  let said = "";
  let failures = 0;
  while (!signal.aborted) {
    let waitMs = PACE_MS;
    try {
      await step();
      said = "";
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      const line = `${failed}: ${(error as Error).message}`;
      waitMs = Math.min(RETRY_MS_FIRST * 2 ** failures, RETRY_MS_MAX);
      // The follower reports that the store cannot be written.
      if (!isPassing(error)) {
        failures += 1;
        if (line !== said) say(`${line}; trying again`);
      }
      said = line;
    }
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
};
