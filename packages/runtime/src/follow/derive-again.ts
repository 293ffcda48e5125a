import { setTimeout as sleep } from "node:timers/promises";
import { type NextProgress, shareDone } from "@lamplight/core";
import { isPassing } from "../store/when-store-available.ts";

/** Percent of the time in which a follower derives again. It writes slots for the rest. */
const FOLLOWER_PERCENT = 25;
/** Milliseconds until a store that rejects writes is tried again. */
const RETRY_MS = 1000;

export interface DeriveAgainOptions {
  readonly signal: AbortSignal;
  /** Percent of the time in which it works; default: what suits a follower. */
  readonly percent?: number;
  readonly inform: (line: string) => void;
}

/**
 * Fills the next set of a store page by page, next to everything else that writes it.
 *
 * @param fill - derives one more page; null = there is nothing to derive
 */
export const deriveAgain = async (
  fill: () => Promise<NextProgress | null>,
  { signal, percent: share = FOLLOWER_PERCENT, inform }: DeriveAgainOptions,
): Promise<void> => {
  let percent = -1;
  while (!signal.aborted) {
    const startMs = performance.now();
    const progress = await fill().catch((error: unknown) => {
      if (isPassing(error)) return error;
      throw error;
    });
    if (progress === null) return;
    if (progress instanceof Error) {
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      continue;
    }
    const done = Math.floor(100 * shareDone(progress));
    if (done !== percent) inform(`assets derived by rules ${progress.version}: ${done} %`);
    percent = done;
    if (progress.isFilled) return;
    const pauseMs = (100 / share - 1) * (performance.now() - startMs);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};

/** The share of assets that are derived by the rules of this version; 1 = all of them answer. */
export const derivedShare = (progress: NextProgress | null): number =>
  progress === null ? 1 : shareDone(progress);
