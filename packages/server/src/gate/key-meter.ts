import { LamplightError } from "@lamplight/errors";

import { STORED_KEYS_MAX } from "../key-store/key-record.ts";
import type { KeyAccount } from "./key-account.ts";
import {
  cellOf,
  DAY_REQUESTS,
  DAY_UNITS,
  dayOf,
  hourNow,
  type KeyCellsMemory,
  type KeyRefusal,
  monotonicNs,
  READ_AT,
  refusalOf,
  requestsOf,
  REQUESTS_EMPTY_AT,
  SUMS_DAY,
  UNITS_EMPTY_AT,
  unitsOf,
  USAGE_FLUSH_MS,
} from "./key-cells.ts";
import { type KeyCosts, meteredNames } from "../key-store/key-costs.ts";

/** The keys that were read last hold for so long while their store cannot be read. */
export const KEYS_HOLD_MS = 3_600_000;

/** A bucket holds what is filled in so long: a caller that was quiet may send so much at once. */
const BURST_NS = 1_000_000_000n;
const SECOND_NS = 1_000_000_000n;
const NS_OF_MS = 1_000_000n;
const DAY_SECONDS = 86_400;

/** The next flush is due within so long. */
const FLUSH_SECONDS = USAGE_FLUSH_MS / 1000 + 1;

/** The end of what a request costs its key. */
export interface KeyCharge {
  /** For each entry its refusal; null = none is refused. */
  readonly refusals: readonly (LamplightError | null)[] | null;
  /** `RateLimit` and `RateLimit-Policy`, as name and value in turn. */
  readonly headers: readonly string[];
  /** The request is over. Further calls change nothing. */
  end(): void;
}

const methodIndex: ReadonlyMap<string, number> = new Map(meteredNames.map((name, index) => [name, index]));
const otherIndex = methodIndex.get("other")!;

/**
 * Charges calls to keys, over all workers. A bucket is one number: the time at which it is full again. A request is let
 * through where it has room for the whole of it. Units are let through while that time is less than a second ahead. So one costly
 * call may use more than a second's worth, and the next ones wait.
 */
export class KeyMeter {
  readonly #cells: BigInt64Array;
  readonly #changed: Int32Array;
  readonly #inProgress: Int32Array;
  readonly #workers: number;
  /** First cell of this worker in `inProgress`. */
  readonly #own: number;
  /** Costs by index of the method. */
  readonly #costs: readonly number[];
  readonly #nowNs: () => bigint;

  /** @param worker - from 0 */
  constructor(memory: KeyCellsMemory, worker: number, costs: KeyCosts, nowNs: () => bigint = monotonicNs) {
    this.#cells = new BigInt64Array(memory.counts);
    this.#changed = new Int32Array(memory.changed);
    this.#inProgress = new Int32Array(memory.inProgress);
    this.#workers = memory.workers;
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
    if (refusal !== null)
      return this.#chargeOf(
        account,
        methods.map(() => refusal),
        nowNs,
        false,
      );
    let refusals: (LamplightError | null)[] | null = null;
    for (let index = 0; index < methods.length; index += 1) {
      const refused = this.#chargeCall(account, methods[index]!, nowNs);
      if (refused !== null) (refusals ??= methods.map(() => null))[index] = refused;
    }
    // After the counts: otherwise a flush between the two would miss them, and a last call might never be written.
    Atomics.store(this.#changed, account.slot, 1);
    return this.#chargeOf(account, refusals, nowNs, account.limits.concurrency !== null);
  }

  #chargeOf(
    account: KeyAccount,
    refusals: KeyCharge["refusals"],
    nowNs: bigint,
    hasPlace: boolean,
  ): KeyCharge {
    const headers =
      account.policy === null
        ? []
        : ["RateLimit-Policy", account.policy, "RateLimit", this.#available(account, nowNs)];
    let isOver = !hasPlace;
    const end = (): void => {
      if (!isOver) Atomics.sub(this.#inProgress, this.#own + account.slot, 1);
      isOver = true;
    };
    return { refusals, headers, end };
  }

  /** The refusal of a request as a whole; where there is none, it is in progress. */
  #refuseAll(account: KeyAccount, nowNs: bigint): LamplightError | null {
    if (nowNs - Atomics.load(this.#cells, READ_AT) > BigInt(KEYS_HOLD_MS) * NS_OF_MS)
      return new LamplightError("SERVER__BUSY", { reason: "the store of the API keys cannot be read" });
    const { concurrency } = account.limits;
    if (concurrency === null) return null;
    Atomics.add(this.#inProgress, this.#own + account.slot, 1);
    if (this.#requestsOf(account.slot) <= concurrency) return null;
    Atomics.sub(this.#inProgress, this.#own + account.slot, 1);
    return this.#refused(account, "rate", limitText(concurrency, "requests at once"), 1);
  }

  /** Requests in progress, of all workers. */
  #requestsOf(slot: number): number {
    let requests = 0;
    for (let worker = 0; worker < this.#workers; worker += 1)
      requests += Atomics.load(this.#inProgress, worker * STORED_KEYS_MAX + slot);
    return requests;
  }

  /** Takes what a call costs from all limits, or nothing. */
  #chargeCall(account: KeyAccount, method: string | null, nowNs: bigint): LamplightError | null {
    const index = (method === null ? undefined : methodIndex.get(method)) ?? otherIndex;
    const { methods } = account;
    if (methods !== null && method !== null && !methods.has(method)) {
      this.#count(account, refusalOf("key"), 1);
      return new LamplightError("REQUEST__KEY_NOT_ALLOWED", { why: "the key may not call this method" });
    }
    const units = this.#costs[index]!;
    const refused = this.#takeDay(account, units) ?? this.#takeSecond(account, units, nowNs);
    if (refused !== null) return refused;
    this.#count(account, requestsOf(index), 1);
    this.#count(account, unitsOf(index), units);
    return null;
  }

  #takeDay(account: KeyAccount, units: number): LamplightError | null {
    const { requestsPerDay, unitsPerDay } = account.limits;
    if (!this.#takeOfDay(account, DAY_REQUESTS, requestsPerDay, 1))
      return this.#refused(
        account,
        "quota",
        limitText(requestsPerDay!, "requests a day"),
        this.#secondsOfDayLeft(),
      );
    if (this.#takeOfDay(account, DAY_UNITS, unitsPerDay, units)) return null;
    this.#giveBack(account, DAY_REQUESTS, 1n);
    return this.#refused(
      account,
      "quota",
      limitText(unitsPerDay!, "cost units a day"),
      this.#secondsOfDayLeft(),
    );
  }

  /** The sums are kept of keys without a limit too, which may get one during the day. */
  #takeOfDay({ slot }: KeyAccount, cell: number, limit: number | null, amount: number): boolean {
    const before = Atomics.add(this.#cells, cellOf(slot) + cell, BigInt(amount));
    if (limit === null || before < BigInt(limit) || amount === 0) return true;
    Atomics.sub(this.#cells, cellOf(slot) + cell, BigInt(amount));
    return false;
  }

  #takeSecond(account: KeyAccount, units: number, nowNs: bigint): LamplightError | null {
    const { requestsPerSecond, unitsPerSecond } = account.limits;
    const { nsOfRequest, nsOfUnit } = account;
    let [waitNs, limit] = [0n, ""];
    if (requestsPerSecond !== null) {
      const aheadMaxNs = BigInt((requestsPerSecond - 1) * nsOfRequest);
      waitNs = this.#fill(account, REQUESTS_EMPTY_AT, BigInt(nsOfRequest), aheadMaxNs, nowNs);
      limit = limitText(requestsPerSecond, "requests a second");
    }
    if (waitNs === 0n && unitsPerSecond !== null) {
      waitNs = this.#fill(account, UNITS_EMPTY_AT, BigInt(units * nsOfUnit), BURST_NS - 1n, nowNs);
      limit = limitText(unitsPerSecond, "cost units a second");
      if (waitNs > 0n && requestsPerSecond !== null)
        this.#giveBack(account, REQUESTS_EMPTY_AT, BigInt(nsOfRequest));
    }
    if (waitNs === 0n) return null;
    this.#giveBack(account, DAY_REQUESTS, 1n);
    this.#giveBack(account, DAY_UNITS, BigInt(units));
    return this.#refused(account, "rate", limit, Number(waitNs / SECOND_NS) + 1);
  }

  /**
   * Takes from a bucket. Where it has too little, nothing is taken, and the nanoseconds are returned until it has enough.
   *
   * @param aheadMaxNs - most by which the time at which it is full may be ahead before
   */
  #fill({ slot }: KeyAccount, cell: number, ns: bigint, aheadMaxNs: bigint, nowNs: bigint): bigint {
    if (ns === 0n) return 0n;
    const at = cellOf(slot) + cell;
    for (;;) {
      const fullAt = Atomics.load(this.#cells, at);
      const from = fullAt > nowNs ? fullAt : nowNs;
      if (from - nowNs > aheadMaxNs) return from - nowNs - aheadMaxNs;
      if (Atomics.compareExchange(this.#cells, at, fullAt, from + ns) === fullAt) return 0n;
    }
  }

  #giveBack({ slot }: KeyAccount, cell: number, amount: bigint): void {
    Atomics.sub(this.#cells, cellOf(slot) + cell, amount);
  }

  #count({ slot }: KeyAccount, cell: number, amount: number): void {
    if (amount > 0) Atomics.add(this.#cells, cellOf(slot) + cell, BigInt(amount));
  }

  #refused(account: KeyAccount, reason: KeyRefusal, limit: string, seconds: number): LamplightError {
    this.#count(account, refusalOf(reason), 1);
    const context = { limit, retryAfterSeconds: seconds };
    return new LamplightError(reason === "quota" ? "REQUEST__QUOTA" : "REQUEST__RATE", context);
  }

  /** Seconds to midnight in UTC, at least 1. After midnight the sums are those of the day before, up to the next flush. */
  #secondsOfDayLeft(): number {
    if (Atomics.load(this.#cells, SUMS_DAY) !== BigInt(dayOf(hourNow()))) return FLUSH_SECONDS;
    return DAY_SECONDS - (Math.floor(Date.now() / 1000) % DAY_SECONDS);
  }

  /** Value of `RateLimit`: for each policy what is left, and in how many seconds it is all there again. */
  #available(account: KeyAccount, nowNs: bigint): string {
    const { requestsPerSecond, unitsPerSecond, requestsPerDay, unitsPerDay, concurrency } = account.limits;
    const items: string[] = [];
    const ofSecond = (name: string, cell: number, limit: number, nsOfOne: number): void => {
      const aheadNs = Atomics.load(this.#cells, cellOf(account.slot) + cell) - nowNs;
      // The nanoseconds of one are rounded up, so a whole bucket may have some more than a second.
      const usedNs = aheadNs > 0n ? Number(aheadNs) : 0;
      const left = Math.max(0, limit * nsOfOne - usedNs);
      const seconds = aheadNs > BURST_NS ? Number(aheadNs / SECOND_NS) : 1;
      items.push(`"${name}";r=${Math.floor(left / nsOfOne)};t=${seconds}`);
    };
    const ofDay = (name: string, cell: number, limit: number): void => {
      const used = Number(Atomics.load(this.#cells, cellOf(account.slot) + cell));
      items.push(`"${name}";r=${Math.min(limit, Math.max(0, limit - used))};t=${this.#secondsOfDayLeft()}`);
    };
    if (requestsPerSecond !== null)
      ofSecond("requests-second", REQUESTS_EMPTY_AT, requestsPerSecond, account.nsOfRequest);
    if (unitsPerSecond !== null) ofSecond("units-second", UNITS_EMPTY_AT, unitsPerSecond, account.nsOfUnit);
    if (requestsPerDay !== null) ofDay("requests-day", DAY_REQUESTS, requestsPerDay);
    if (unitsPerDay !== null) ofDay("units-day", DAY_UNITS, unitsPerDay);
    if (concurrency !== null)
      items.push(`"concurrency";r=${Math.max(0, concurrency - this.#requestsOf(account.slot))}`);
    return items.join(", ");
  }
}

const limitText = (limit: number, what: string): string => `limit is ${limit} ${what}`;
