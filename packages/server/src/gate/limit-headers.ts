import type { KeyLimits } from "../key-store/key-record.ts";

export const SECOND_NS = 1_000_000_000;

/** A bucket holds what is filled in so long: a caller that was quiet may send so much at once. */
export const BURST_NS = 1_000_000_000;

/** Headers are written again after so long, or once a hundredth of what was left of any limit is used. */
const KEPT_NS = SECOND_NS / 10;
const KEPT_SHARE = 1 / 100;

/** A key has used so much of its limits. */
export interface KeyUseNow {
  /** Nanoseconds until the bucket of requests, or of units, is full. */
  readonly requestsAheadNs: number;
  readonly unitsAheadNs: number;
  readonly dayRequests: number;
  readonly dayUnits: number;
  /** Seconds until both of these are 0 again. */
  readonly daySeconds: number;
  readonly inProgress: number;
}

/**
 * `RateLimit` and `RateLimit-Policy` of the answers to one key, as name and value in turn. A key with low limits gets exact numbers.
 * To write them for each answer of a busy key would cost a twentieth of a call.
 */
export class LimitHeaders {
  /** Value of `RateLimit-Policy`; null where the key has no limit that a header names. */
  readonly policy: string | null;
  /** Nanoseconds in which a bucket gets one request, or one unit, back. */
  readonly nsOfRequest: number;
  readonly nsOfUnit: number;
  readonly #limits: KeyLimits;
  #headers: readonly string[] = [];
  #keptUntilNs = 0;
  /** Requests and units until they are written again. */
  #slack = 0;

  constructor(limits: KeyLimits) {
    this.#limits = limits;
    this.nsOfRequest = Math.ceil(SECOND_NS / (limits.requestsPerSecond ?? SECOND_NS));
    this.nsOfUnit = Math.ceil(SECOND_NS / (limits.unitsPerSecond ?? SECOND_NS));
    const items = policies.flatMap(({ limit, text }) => (limits[limit] === null ? [] : text(limits[limit])));
    this.policy = items.length === 0 ? null : items.join(", ");
  }

  /**
   * The headers that were written last; null where they have to be written again.
   *
   * @param used - requests or units of this request, whichever are more
   */
  kept(used: number, nowNs: number): readonly string[] | null {
    this.#slack -= used;
    return this.#slack > 0 && nowNs < this.#keptUntilNs ? this.#headers : null;
  }

  write(use: KeyUseNow, nowNs: number): readonly string[] {
    const { requestsPerSecond, unitsPerSecond, requestsPerDay, unitsPerDay, concurrency } = this.#limits;
    const items: string[] = [];
    let least = Infinity;
    const add = (name: string, limit: number, used: number, seconds: number | null): void => {
      // Another process may have used more than a limit, and after a clock went back, less than nothing.
      const left = Math.min(limit, Math.max(0, limit - used));
      least = Math.min(least, left);
      items.push(`"${name}";r=${left}${seconds === null ? "" : `;t=${seconds}`}`);
    };
    const { requestsAheadNs, unitsAheadNs, daySeconds } = use;
    if (requestsPerSecond !== null)
      add(
        "requests-second",
        requestsPerSecond,
        Math.ceil(requestsAheadNs / this.nsOfRequest),
        secondsOf(requestsAheadNs),
      );
    if (unitsPerSecond !== null)
      add("units-second", unitsPerSecond, Math.ceil(unitsAheadNs / this.nsOfUnit), secondsOf(unitsAheadNs));
    if (requestsPerDay !== null) add("requests-day", requestsPerDay, use.dayRequests, daySeconds);
    if (unitsPerDay !== null) add("units-day", unitsPerDay, use.dayUnits, daySeconds);
    if (concurrency !== null) add("concurrency", concurrency, use.inProgress, null);
    this.#headers = ["RateLimit-Policy", this.policy!, "RateLimit", items.join(", ")];
    this.#keptUntilNs = nowNs + KEPT_NS;
    this.#slack = least * KEPT_SHARE;
    return this.#headers;
  }
}

/** The nanoseconds of one are rounded up, so a whole bucket may have some more than a second. */
const secondsOf = (aheadNs: number): number => (aheadNs > BURST_NS ? Math.floor(aheadNs / SECOND_NS) : 1);

/** The syntax is that of draft-ietf-httpapi-ratelimit-headers-11. The unit of costs is not registered, so it has a vendor's parameter. */
const policies = [
  { limit: "requestsPerSecond", text: (quota: number) => `"requests-second";q=${quota};w=1` },
  { limit: "unitsPerSecond", text: (quota: number) => `"units-second";q=${quota};w=1;lamplight-unit="cost"` },
  { limit: "requestsPerDay", text: (quota: number) => `"requests-day";q=${quota};w=86400` },
  { limit: "unitsPerDay", text: (quota: number) => `"units-day";q=${quota};w=86400;lamplight-unit="cost"` },
  { limit: "concurrency", text: (quota: number) => `"concurrency";q=${quota};qu="concurrent-requests"` },
] as const;
