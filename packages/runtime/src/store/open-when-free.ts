import { setTimeout as sleep } from "node:timers/promises";
import type { IndexStore } from "@lamplight/core";
import { isLamplightError, type LamplightError } from "@lamplight/errors";
import { openStoreForWriting } from "./open-store.ts";

export interface OpenWhenFreeOptions {
  readonly signal: AbortSignal;
  /** Make it when there is none; default no. */
  readonly create?: boolean;
  /** Called when another process writes the store, or its server does not answer; again when that changes. */
  readonly onWaiting: (error: WaitedOut) => void;
  /** Called with a message when upkeep of the store fails. */
  readonly onProblem?: (line: string) => void;
}

type WaitedOut = LamplightError<"STORE__LOCKED" | "STORE__FILE_LOCKED" | "STORE__UNREACHABLE">;

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
 * @throws LamplightError of the STORE family, but for `STORE__LOCKED`, `STORE__FILE_LOCKED` and `STORE__UNREACHABLE`, which pass
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
      if (!isWaitedOut(error)) throw error;
      if (reported !== error.code) onWaiting(error);
      reported = error.code;
      const isAway = isLamplightError(error, "STORE__UNREACHABLE");
      awayMs = isAway ? Math.min(2 * awayMs, AWAY_RETRY_MAX_MS) : RETRY_MS;
    }
    const pauseMs = awayMs === RETRY_MS ? RETRY_MS : awayMs * (1 - Math.random() / 2);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return null;
};

const isWaitedOut = (error: unknown): error is WaitedOut =>
  isLamplightError(error, "STORE__LOCKED") ||
  isLamplightError(error, "STORE__FILE_LOCKED") ||
  isLamplightError(error, "STORE__UNREACHABLE");
