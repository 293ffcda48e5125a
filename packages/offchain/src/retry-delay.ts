// This file decides when a URI is tried again. New assets often get their JSON after the mint; dead links stay dead.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Waits after each failed attempt in a row. After the last one, only a request, a new asset or a refresh starts another
 * attempt. So there are three classes: soon (`failed`), later (`gone`, `notJson`), and never (`tooLarge`, `refused`).
 */
const waits = {
  /** The network or the server failed; it may work again in a minute. */
  failed: [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY],
  /** The server has no document, or denies access. */
  gone: [DAY, 7 * DAY],
  notJson: [DAY],
  tooLarge: [],
  refused: [],
} as const;

/** A changeable document is fetched again when an asset that names it changes, but at most this often. */
export const refetchAgeMsMin = DAY;

/** Longest `Retry-After` that is obeyed. */
const RETRY_AFTER_MS_MAX = 7 * DAY;
/** Random variation of the waits, so that common failures are not retried at the same time. */
const JITTER = 0.2;

/**
 * Milliseconds to wait after the `attempts`-th attempt in a row without success; null = no more.
 *
 * @param retryAfterMs - the wait that the server requested; null when it did not
 * @param random - 0 to 1
 */
export const retryDelayMs = (
  status: keyof typeof waits,
  attempts: number,
  retryAfterMs: number | null,
  random: number,
): number | null => {
  const wait = waits[status][attempts - 1];
  if (wait === undefined) return null;
  return Math.round(Math.max(varied(wait, random), Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX)));
};

/** A wait of about so many milliseconds. @param random - 0 to 1 */
export const varied = (waitMs: number, random: number): number =>
  Math.round(waitMs * (1 - JITTER + 2 * JITTER * random));
