import type { KeyRecord } from "../key-store/key-record.ts";
import { LimitHeaders } from "./limit-headers.ts";

/** A key of a store, with the place of its counters. */
export interface StoredKey {
  readonly record: KeyRecord;
  /** From 0; the same in all workers. */
  readonly slot: number;
}

/** Name and limits of a stored key, prepared for each call. */
export class KeyAccount {
  readonly name: string;
  readonly slot: number;
  readonly limits: KeyRecord["limits"];
  /** Null = all. */
  readonly methods: ReadonlySet<string> | null;
  readonly headers: LimitHeaders;

  constructor({ record, slot }: StoredKey) {
    const { name, limits } = record;
    this.name = name;
    this.slot = slot;
    this.limits = limits;
    this.methods = limits.methods === null ? null : new Set(limits.methods);
    this.headers = new LimitHeaders(limits);
  }
}
