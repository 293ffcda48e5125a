import { setTimeout as sleep } from "node:timers/promises";
import type { IndexStore } from "@lamplight/core";
import { isLamplightError, type LamplightError } from "@lamplight/errors";
import { openStoreForWriting } from "./open-store.ts";

export interface OpenWhenFreeOptions {
  readonly signal: AbortSignal;
  /** Make it when there is none; default no. */
  readonly create?: boolean;
  /** Called when another process writes the store, or its server does not answer; again when that changes. */
  readonly onWaiting: (error: LamplightError<"STORE__LOCKED" | "STORE__UNREACHABLE">) => void;
  /** Called with a message when upkeep of the store fails. */
  readonly onProblem?: (line: string) => void;
}

/**
 * Milliseconds between two attempts. A store on a server waits for its lock within each attempt, so it opens as soon as
 * the lock is free.
 */
const RETRY_MS = 250;
/** The longest wait while its server is away. Waits double up to this, less a random half. */
const AWAY_RETRY_MAX_MS = 5000;

/**
 * Opens a store for writing as soon as no other process writes it; null when stopped before.
 *
 * @throws LamplightError of the STORE family, but for `STORE__LOCKED` and `STORE__UNREACHABLE`, which pass
 */
export const openWhenFree = async (
  url: string,
  { signal, create = false, onWaiting, onProblem }: OpenWhenFreeOptions,
): Promise<IndexStore | null> => {
  let reported: string | null = null;
  let awayMs = RETRY_MS;
  while (!signal.aborted) {
    try {
      return await openStoreForWriting(url, {
        create,
        follows: true,
        ...(onProblem === undefined ? {} : { onProblem }),
      });
    } catch (error) {
      if (!isLamplightError(error, "STORE__LOCKED") && !isLamplightError(error, "STORE__UNREACHABLE"))
        throw error;
      if (reported !== error.code) onWaiting(error);
      reported = error.code;
      awayMs = isLamplightError(error, "STORE__LOCKED") ? RETRY_MS : Math.min(2 * awayMs, AWAY_RETRY_MAX_MS);
    }
    const pauseMs = awayMs === RETRY_MS ? RETRY_MS : awayMs * (1 - Math.random() / 2);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return null;
};
