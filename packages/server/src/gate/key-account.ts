import type { KeyRecord } from "../key-store/key-record.ts";

/** A key of a store, with the place of its counters. */
export interface StoredKey {
  readonly record: KeyRecord;
  /** From 0; the same in all workers. */
  readonly slot: number;
}

const SECOND_NS = 1_000_000_000;

/** Name and limits of a stored key, prepared for each call. */
export class KeyAccount {
  readonly name: string;
  readonly slot: number;
  readonly limits: KeyRecord["limits"];
  /** Null = all. */
  readonly methods: ReadonlySet<string> | null;
  /** Nanoseconds in which a bucket gets one request, or one unit, back. */
  readonly nsOfRequest: number;
  readonly nsOfUnit: number;
  /** Value of `RateLimit-Policy`; null where it has no limit that a header names. */
  readonly policy: string | null;

  constructor({ record, slot }: StoredKey) {
    const { name, limits } = record;
    this.name = name;
    this.slot = slot;
    this.limits = limits;
    this.methods = limits.methods === null ? null : new Set(limits.methods);
    this.nsOfRequest = Math.ceil(SECOND_NS / (limits.requestsPerSecond ?? SECOND_NS));
    this.nsOfUnit = Math.ceil(SECOND_NS / (limits.unitsPerSecond ?? SECOND_NS));
    const items = policies.flatMap(({ limit, text }) => (limits[limit] === null ? [] : text(limits[limit])));
    this.policy = items.length === 0 ? null : items.join(", ");
  }
}

/** The syntax is that of draft-ietf-httpapi-ratelimit-headers-11. The unit of costs is not registered, so it has a vendor's parameter. */
const policies = [
  { limit: "requestsPerSecond", text: (quota: number) => `"requests-second";q=${quota};w=1` },
  { limit: "unitsPerSecond", text: (quota: number) => `"units-second";q=${quota};w=1;lamplight-unit="cost"` },
  { limit: "requestsPerDay", text: (quota: number) => `"requests-day";q=${quota};w=86400` },
  { limit: "unitsPerDay", text: (quota: number) => `"units-day";q=${quota};w=86400;lamplight-unit="cost"` },
  { limit: "concurrency", text: (quota: number) => `"concurrency";q=${quota};qu="concurrent-requests"` },
] as const;
