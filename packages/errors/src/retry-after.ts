/** Milliseconds in a `Retry-After` header, given in seconds or as a date; null without a valid one. */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | null => {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
};
