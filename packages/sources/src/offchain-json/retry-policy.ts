// When a URI is tried again: new assets often get their JSON after the mint, dead links stay dead.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Waits after each failed attempt in a row; when they are used up, only a request or a new asset tries again. */
const waits = {
  /** The network or the server failed: it may be up again in a minute. */
  failed: [minute, 10 * minute, hour, 6 * hour, day, 7 * day],
  /** The server says there is nothing, or not for us. */
  gone: [day, 7 * day],
  notJson: [day],
  tooLarge: [],
  refused: [],
} as const;

/** A document that may change is looked at again when an asset that names it changes, but not more often than this. */
export const refetchAgeMsMin = day;

/** Longest wait a server may ask for. */
const retryAfterMsMax = 7 * day;
/** Waits vary by this share, so that what failed together is not retried together. */
const jitter = 0.2;

/**
 * Milliseconds to wait after the `attempts`-th attempt in a row without success; null = no more.
 *
 * @param retryAfterMs - what the server asked for; null when it did not
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
  const varied = wait * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.max(varied, Math.min(retryAfterMs ?? 0, retryAfterMsMax)));
};

/** Milliseconds a `Retry-After` header asks for, in seconds or as a date; null when it says nothing. */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | null => {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
};
