import { sleep } from "./deadline.ts";
import { ClientError } from "../errors/client-error.ts";

/** A call is sent again after HTTP 429 and 503, and after a lost connection: so often, and after these pauses. */
export interface RetryPolicy {
  /** Sendings in all, the first included. */
  readonly attemptsMax: number;
  /** Pause before the second attempt when the server names none; doubled before each further one. */
  readonly delayMs: number;
  /** Longest pause; a server that asks for a longer one is not asked again. */
  readonly delayMsMax: number;
}

/** Four attempts, after pauses of 0.5, 1 and 2 s. */
export const defaultRetryPolicy: RetryPolicy = { attemptsMax: 4, delayMs: 500, delayMsMax: 10_000 };

/** The first refusal or lost connection ends the call. */
export const noRetries: RetryPolicy = { ...defaultRetryPolicy, attemptsMax: 1 };

const retriedStatuses: readonly unknown[] = [429, 503];

/** The members of an error that decide about another attempt. */
export interface Refusal {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Header `Retry-After`; null without it. */
  readonly retryAfter: string | null;
  /** Whether a connection was lost, in an error without an answer. */
  readonly isDropped: boolean;
}

/**
 * The first outcome that is no error.
 *
 * @param attempt - gets the number of this sending, from 1, and returns an error that may be retried
 * @throws the error of the last attempt, what `attempt` throws, the signal's reason
 */
export const retried = async <Outcome>(
  attempt: (number: number) => Promise<Outcome | ClientError>,
  policy: RetryPolicy,
  signal: AbortSignal,
): Promise<Outcome> => {
  for (let number = 1; ; number += 1) {
    const outcome = await attempt(number);
    if (!(outcome instanceof ClientError)) return outcome;
    const delayMs = retryDelayMs(outcome as Partial<Refusal>, number, policy, Date.now());
    if (delayMs === null) throw outcome;
    await sleep(delayMs, signal);
  }
};

/**
 * Milliseconds to wait before the next attempt; null = give up.
 *
 * @param attempt - sendings so far, from 1
 * @param nowMs - the clock that a `Retry-After` date is compared with
 */
export const retryDelayMs = (
  { status, retryAfter = null, isDropped }: Partial<Refusal>,
  attempt: number,
  policy: RetryPolicy,
  nowMs: number,
): number | null => {
  if (!(isDropped || retriedStatuses.includes(status)) || attempt >= policy.attemptsMax) return null;
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
