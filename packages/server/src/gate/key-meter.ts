import { LARGE_ACCOUNT_BYTES } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import { STORED_KEYS_MAX } from "../key-store/key-record.ts";
import type { KeyAccount } from "./key-account.ts";
import {
  cellOf,
  clockOf,
  DAY_REQUESTS,
  DAY_UNITS,
  dayOf,
  hourNow,
  KeyCells,
  type KeyCellsMemory,
  type KeyRefusal,
  READ_AT,
  refusalOf,
  requestsOf,
  REQUESTS_FULL_AT,
  SUMS_DAY,
  UNITS_FULL_AT,
  unitsOf,
  USAGE_FLUSH_MS,
} from "./key-cells.ts";
import { BURST_NS, SECOND_NS } from "./limit-headers.ts";
import { type KeyCosts, meteredNames } from "../key-store/key-costs.ts";

/** The keys that were read last hold for so long while their store cannot be read. */
export const KEYS_HOLD_MS = 3_600_000;

const KEYS_HOLD_NS = KEYS_HOLD_MS * 1_000_000;
const DAY_SECONDS = 86_400;

/** The next flush is due within so long. */
const FLUSH_SECONDS = USAGE_FLUSH_MS / 1000 + 1;

const methodIndex: ReadonlyMap<string, number> = new Map(meteredNames.map((name, index) => [name, index]));
const otherIndex = methodIndex.get("other")!;

/** A request costs its key this. */
export class KeyCharge {
  /** For each entry its refusal; null = none is refused. */
  readonly refusals: readonly (LamplightError | null)[] | null;
  /** `RateLimit` and `RateLimit-Policy`, as name and value in turn. */
  readonly headers: readonly string[];
  /** Counts it as in progress; null = nothing does, or no longer. */
  #places: Int32Array | null;
  readonly #place: number;
  readonly #meter: KeyMeter;
  readonly #account: KeyAccount;

  constructor(
    refusals: KeyCharge["refusals"],
    headers: readonly string[],
    places: Int32Array | null,
    place: number,
    meter: KeyMeter,
    account: KeyAccount,
  ) {
    this.refusals = refusals;
    this.headers = headers;
    this.#places = places;
    this.#place = place;
    this.#meter = meter;
    this.#account = account;
  }

  /** One of its calls has read large accounts, or many. Their size is known only then, so the key pays afterwards. */
  addRead(method: string, bytes: number): void {
    this.#meter.takeMore(this.#account, method, Math.floor(bytes / LARGE_ACCOUNT_BYTES));
  }

  /** The request is over. Further calls change nothing. */
  end(): void {
    if (this.#places !== null) this.#places[this.#place]! -= 1;
    this.#places = null;
  }
}

/**
 * Charges calls to keys, over all workers. A bucket is one number: the time at which it is full again. A request is let
 * through where it has room for the whole of it. Units are let through while that time is less than a second ahead. So one costly
 * call may use more than a second's worth, and the next ones wait. Workers that charge at the same moment may exceed a limit, by
 * one request each.
 */
export class KeyMeter {
  readonly #cells: KeyCells;
  readonly #changed: Int32Array;
  readonly #inProgress: Int32Array;
  /** First cell of this worker in `inProgress`. */
  readonly #own: number;
  /** Costs by index of the method. */
  readonly #costs: readonly number[];
  readonly #nowNs: () => number;

  /** @param worker - from 0 */
  constructor(
    memory: KeyCellsMemory,
    worker: number,
    costs: KeyCosts,
    nowNs: () => number = clockOf(memory),
  ) {
    this.#cells = new KeyCells(memory, worker);
    this.#changed = new Int32Array(memory.changed);
    this.#inProgress = new Int32Array(memory.inProgress);
    this.#own = worker * STORED_KEYS_MAX;
    this.#costs = meteredNames.map((name) => costs[name]!);
    this.#nowNs = nowNs;
  }

  /**
   * Charges a request.
   *
   * @param methods - of its entries; null for one that is no call of a known method, which counts as `other`
   */
  charge(account: KeyAccount, methods: readonly (string | null)[]): KeyCharge {
    const nowNs = this.#nowNs();
    const refusal = this.#refuseAll(account, nowNs);
    if (refusal !== null) {
      const refusals = methods.map(() => refusal);
      return new KeyCharge(refusals, this.#writeHeaders(account, nowNs), null, 0, this, account);
    }
    let refusals: (LamplightError | null)[] | null = null;
    let used = 0;
    for (let at = 0; at < methods.length; at += 1) {
      const method = methods[at]!;
      const index = (method === null ? undefined : methodIndex.get(method)) ?? otherIndex;
      const refused = this.#chargeCall(account, method, index, nowNs);
      if (refused !== null) (refusals ??= methods.map(() => null))[at] = refused;
      used += Math.max(1, this.#costs[index]!);
    }
    // After the counts: otherwise a flush between the two would miss them, and a last call might never be written.
    Atomics.store(this.#changed, account.slot, 1);
    const kept = refusals === null ? account.headers.kept(used, nowNs) : null;
    const headers = kept ?? this.#writeHeaders(account, nowNs);
    const places = account.limits.concurrency === null ? null : this.#inProgress;
    return new KeyCharge(refusals, headers, places, this.#own + account.slot, this, account);
  }

  /** The refusal of a request as a whole; where there is none, it is in progress. */
  #refuseAll(account: KeyAccount, nowNs: number): LamplightError | null {
    if (nowNs - this.#cells.ofMain(READ_AT) > KEYS_HOLD_NS)
      return new LamplightError("SERVER__BUSY", { reason: "the store of the API keys cannot be read" });
    const { concurrency } = account.limits;
    if (concurrency === null) return null;
    this.#inProgress[this.#own + account.slot]! += 1;
    if (this.#requestsOf(account.slot) <= concurrency) return null;
    this.#inProgress[this.#own + account.slot]! -= 1;
    return this.#refused(account, "rate", limitText(concurrency, "requests at once"), 1);
  }

  /** Requests in progress, of all workers. */
  #requestsOf(slot: number): number {
    let requests = 0;
    for (let at = slot; at < this.#inProgress.length; at += STORED_KEYS_MAX)
      requests += this.#inProgress[at]!;
    return requests;
  }

  /** Takes what a call costs from all limits, or nothing. */
  #chargeCall(
    account: KeyAccount,
    method: string | null,
    index: number,
    nowNs: number,
  ): LamplightError | null {
    const { methods, slot } = account;
    if (methods !== null && method !== null && !methods.has(method)) {
      this.#cells.add(cellOf(slot) + refusalOf("key"), 1);
      return new LamplightError("REQUEST__KEY_NOT_ALLOWED", { why: "the key may not call this method" });
    }
    const units = this.#costs[index]!;
    const refused = this.#refuseDay(account, units) ?? this.#refuseSecond(account, units, nowNs);
    if (refused !== null) return refused;
    this.#take(account, index, units, nowNs);
    return null;
  }

  #take(account: KeyAccount, index: number, units: number, nowNs: number): void {
    const { slot, limits, headers } = account;
    const at = cellOf(slot);
    this.#cells.add(at + requestsOf(index), 1);
    // Keys without a limit are counted too: they may get one during the day.
    this.#cells.add(at + DAY_REQUESTS, 1);
    if (limits.requestsPerSecond !== null) this.#fill(at + REQUESTS_FULL_AT, headers.nsOfRequest, nowNs);
    this.#takeUnits(account, index, units, nowNs);
  }

  #takeUnits({ slot, limits, headers }: KeyAccount, index: number, units: number, nowNs: number): void {
    const at = cellOf(slot);
    this.#cells.add(at + unitsOf(index), units);
    this.#cells.add(at + DAY_UNITS, units);
    if (limits.unitsPerSecond !== null) this.#fill(at + UNITS_FULL_AT, units * headers.nsOfUnit, nowNs);
  }

  /** Takes what a call turned out to cost more, also over a limit: later calls wait for it. */
  takeMore(account: KeyAccount, method: string, units: number): void {
    const index = methodIndex.get(method) ?? otherIndex;
    // The operator has made the method free.
    if (this.#costs[index] === 0) return;
    const nowNs = this.#nowNs();
    this.#takeUnits(account, index, units, nowNs);
    Atomics.store(this.#changed, account.slot, 1);
    account.headers.kept(units, nowNs);
  }

  #refuseDay(account: KeyAccount, units: number): LamplightError | null {
    const { requestsPerDay, unitsPerDay } = account.limits;
    const at = cellOf(account.slot);
    if (requestsPerDay !== null && this.#cells.sum(at + DAY_REQUESTS) >= requestsPerDay)
      return this.#refusedOfDay(account, limitText(requestsPerDay, "requests a day"));
    if (unitsPerDay !== null && units > 0 && this.#cells.sum(at + DAY_UNITS) >= unitsPerDay)
      return this.#refusedOfDay(account, limitText(unitsPerDay, "cost units a day"));
    return null;
  }

  #refuseSecond(account: KeyAccount, units: number, nowNs: number): LamplightError | null {
    const { requestsPerSecond, unitsPerSecond } = account.limits;
    const at = cellOf(account.slot);
    if (requestsPerSecond !== null) {
      const aheadMaxNs = (requestsPerSecond - 1) * account.headers.nsOfRequest;
      const waitNs = this.#aheadNs(at + REQUESTS_FULL_AT, nowNs) - aheadMaxNs;
      if (waitNs > 0)
        return this.#refusedOfSecond(account, limitText(requestsPerSecond, "requests a second"), waitNs);
    }
    if (unitsPerSecond !== null && units > 0) {
      const waitNs = this.#aheadNs(at + UNITS_FULL_AT, nowNs) - (BURST_NS - 1);
      if (waitNs > 0)
        return this.#refusedOfSecond(account, limitText(unitsPerSecond, "cost units a second"), waitNs);
    }
    return null;
  }

  /** Nanoseconds until a bucket is full. */
  #aheadNs(cell: number, nowNs: number): number {
    return Math.max(0, this.#cells.sum(cell) - nowNs);
  }

  /**
   * Takes from a bucket. The rows of workers have what was taken, and the row of the main thread the time from which it counts.
   * Each worker may move that time to now where the bucket is full: those that do so at once write about the same number.
   */
  #fill(cell: number, ns: number, nowNs: number): void {
    const taken = this.#cells.sumOfWorkers(cell);
    if (this.#cells.sum(cell) < nowNs) this.#cells.setMain(cell, nowNs - taken);
    this.#cells.add(cell, ns);
  }

  #refusedOfDay(account: KeyAccount, limit: string): LamplightError {
    return this.#refused(account, "quota", limit, this.#secondsOfDayLeft());
  }

  #refusedOfSecond(account: KeyAccount, limit: string, waitNs: number): LamplightError {
    return this.#refused(account, "rate", limit, Math.floor(waitNs / SECOND_NS) + 1);
  }

  #refused({ slot }: KeyAccount, reason: KeyRefusal, limit: string, seconds: number): LamplightError {
    this.#cells.add(cellOf(slot) + refusalOf(reason), 1);
    const context = { limit, retryAfterSeconds: seconds };
    return new LamplightError(reason === "quota" ? "REQUEST__QUOTA" : "REQUEST__RATE", context);
  }

  /** Seconds to midnight in UTC, at least 1. After midnight the sums are those of the day before, up to the next flush. */
  #secondsOfDayLeft(): number {
    if (this.#cells.ofMain(SUMS_DAY) !== dayOf(hourNow())) return FLUSH_SECONDS;
    return DAY_SECONDS - (Math.floor(Date.now() / 1000) % DAY_SECONDS);
  }

  #writeHeaders({ headers, slot }: KeyAccount, nowNs: number): readonly string[] {
    if (headers.policy === null) return noHeaders;
    const at = cellOf(slot);
    const use = {
      requestsAheadNs: this.#aheadNs(at + REQUESTS_FULL_AT, nowNs),
      unitsAheadNs: this.#aheadNs(at + UNITS_FULL_AT, nowNs),
      dayRequests: this.#cells.sum(at + DAY_REQUESTS),
      dayUnits: this.#cells.sum(at + DAY_UNITS),
      daySeconds: this.#secondsOfDayLeft(),
      inProgress: this.#requestsOf(slot),
    };
    return headers.write(use, nowNs);
  }
}

const noHeaders: readonly string[] = [];

const limitText = (limit: number, what: string): string => `limit is ${limit} ${what}`;
