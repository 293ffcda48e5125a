/** How often, and after which pauses, a call is sent again that was refused with HTTP 429 or 503. */
export interface RetryPolicy {
  /** Sendings in all, the first included. */
  readonly attemptsMax: number;
  /** Pause before the second attempt when the server names none; doubled before each further one. */
  readonly delayMs: number;
  /** Longest pause; a server that asks for a longer one is not asked again. */
  readonly delayMsMax: number;
}

export const defaultRetryPolicy: RetryPolicy = { attemptsMax: 4, delayMs: 500, delayMsMax: 10_000 };

export const noRetries: RetryPolicy = { ...defaultRetryPolicy, attemptsMax: 1 };

const retriedStatuses: ReadonlySet<number> = new Set([429, 503]);

export interface Refusal {
  readonly status: number;
  readonly retryAfter: string | null;
}

/**
 * Milliseconds to wait before the next attempt; null = give up.
 *
 * @param attempt - sendings so far, from 1
 * @param nowMs - the clock that a `Retry-After` date is compared with
 */
export const retryDelayMs = (
  { status, retryAfter }: Refusal,
  attempt: number,
  policy: RetryPolicy,
  nowMs: number,
): number | null => {
  if (!retriedStatuses.has(status) || attempt >= policy.attemptsMax) return null;
  const asked = parseRetryAfter(retryAfter, nowMs);
  if (asked !== null) return asked > policy.delayMsMax ? null : asked;
  return Math.min(policy.delayMs * 2 ** (attempt - 1), policy.delayMsMax);
};

/** Seconds or an HTTP date to milliseconds from now; null when it is neither. */
const parseRetryAfter = (text: string | null, nowMs: number): number | null => {
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
};
