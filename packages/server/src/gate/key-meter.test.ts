import type { LamplightError } from "@lamplight/errors";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { type KeyLimits, noLimits, STORED_KEYS_MAX } from "../key-store/key-record.ts";
import { KeyAccount } from "./key-account.ts";
import {
  cellOf,
  clearInProgress,
  createKeyCells,
  DAY_REQUESTS,
  DAY_UNITS,
  KeyCells,
  READ_AT,
  refusalOf,
  REQUESTS_FULL_AT,
  SUMS_DAY,
} from "./key-cells.ts";
import { defaultCosts } from "../key-store/key-costs.ts";
import { KEYS_HOLD_MS, KeyMeter } from "./key-meter.ts";
import { SECOND_NS } from "./limit-headers.ts";

const WORKERS = 2;

let nowNs: number;
let memory: ReturnType<typeof createKeyCells>;
let cells: KeyCells;
const meterOf = (worker: number): KeyMeter => new KeyMeter(memory, worker, costs, () => nowNs);
const costs = { ...defaultCosts, getAccountInfo: 1, getAsset: 0, searchAssets: 30 };

afterEach(() => void vi.useRealTimers());
beforeEach(() => {
  nowNs = 1000 * SECOND_NS;
  memory = createKeyCells(WORKERS);
  cells = new KeyCells(memory);
  cells.setMain(READ_AT, nowNs);
});

const accountOf = (limits: Partial<KeyLimits>, slot = 7): KeyAccount =>
  new KeyAccount({
    slot,
    record: {
      name: "acme",
      hash: "0".repeat(64),
      created: "2026-01-01T00:00:00Z",
      expires: null,
      disabled: null,
      previous: null,
      limits: { ...noLimits, ...limits },
    },
  });

const codes = (refusals: readonly (LamplightError | null)[] | null): unknown =>
  refusals?.map((error) => error?.code ?? null) ?? null;

const sumsAreOf = (day: string): void => {
  cells.setMain(SUMS_DAY, Date.parse(`${day}T00:00:00Z`) / 86_400_000);
};

/** Admitted calls of so many. */
const admitted = (meter: KeyMeter, account: KeyAccount, method: string, count: number): number => {
  let passed = 0;
  for (let call = 0; call < count; call += 1) {
    const charge = meter.charge(account, [method]);
    if (charge.refusals === null) passed += 1;
    charge.end();
  }
  return passed;
};

test("a bucket holds one second of requests, and fills at its rate, over all workers", () => {
  const account = accountOf({ requestsPerSecond: 5 });
  const [first, second] = [meterOf(0), meterOf(1)];
  expect(admitted(first, account, "getAccountInfo", 3) + admitted(second, account, "getAccountInfo", 9)).toBe(
    5,
  );
  nowNs += SECOND_NS / 5;
  expect(admitted(second, account, "getAccountInfo", 9)).toBe(1);
  nowNs += 1000 * SECOND_NS;
  expect(admitted(first, account, "getAccountInfo", 99)).toBe(5);
});

test.each([1, 3, 7, 1000, 700_001])(
  "a quiet caller may send %i requests at once, and not one more a moment later",
  (limit) => {
    const account = accountOf({ requestsPerSecond: limit });
    const meter = meterOf(0);
    expect(meter.charge(account, []).headers[3]).toContain(`r=${limit};`);
    cells.setMain(cellOf(7) + REQUESTS_FULL_AT, nowNs + (limit - 1) * account.headers.nsOfRequest);
    // Past the meter, which would repeat what it wrote last.
    expect(meter.charge(accountOf({ requestsPerSecond: limit }), []).headers[3]).toContain("r=1;");
    expect(admitted(meter, account, "getAsset", 3)).toBe(1);
    nowNs += account.headers.nsOfRequest - 1;
    expect(meter.charge(account, ["getAsset"]).refusals![0]!.context).toMatchObject({ retryAfterSeconds: 1 });
    nowNs += 1;
    expect(admitted(meter, account, "getAsset", 3)).toBe(1);
  },
);

test("a call that costs more than a second of units is let through, and the next ones wait for it", () => {
  const account = accountOf({ unitsPerSecond: 10 });
  const meter = meterOf(0);
  expect(admitted(meter, account, "searchAssets", 3)).toBe(1);
  const { refusals } = meter.charge(account, ["searchAssets"]);
  expect(refusals![0]!.context).toMatchObject({ retryAfterSeconds: 3 });
  nowNs += 2 * SECOND_NS;
  expect(admitted(meter, account, "searchAssets", 3)).toBe(0);
  nowNs += 1;
  expect(admitted(meter, account, "searchAssets", 3)).toBe(1);
  // Calls without a cost go on.
  expect(admitted(meter, account, "getAsset", 3)).toBe(3);
});

test("a call that one limit refuses takes nothing of the others", () => {
  const account = accountOf({
    requestsPerSecond: 1000,
    unitsPerSecond: 1,
    requestsPerDay: 5,
    unitsPerDay: 1000,
  });
  const meter = meterOf(0);
  expect(admitted(meter, account, "searchAssets", 100)).toBe(1);
  expect(cells.sum(cellOf(7) + DAY_REQUESTS)).toBe(1);
  expect(cells.sum(cellOf(7) + DAY_UNITS)).toBe(30);
  expect(admitted(meter, account, "getAsset", 100)).toBe(4);
  expect(codes(meter.charge(account, ["getAsset"]).refusals)).toEqual(["REQUEST__QUOTA"]);
  expect(cells.sum(cellOf(7) + refusalOf("rate"))).toBe(99);
  expect(cells.sum(cellOf(7) + refusalOf("quota"))).toBe(97);
});

test("each call of a batch has its own answer", () => {
  const account = accountOf({ requestsPerSecond: 2, methods: ["getAccountInfo"] });
  const { refusals } = meterOf(0).charge(account, [
    "getAccountInfo",
    "getAsset",
    null,
    "getAccountInfo",
    "constructor",
  ]);
  expect(codes(refusals)).toEqual([
    null,
    "REQUEST__KEY_NOT_ALLOWED",
    null,
    "REQUEST__RATE",
    "REQUEST__KEY_NOT_ALLOWED",
  ]);
});

test("a batch is one request in progress; what a dead worker held is free again", () => {
  const account = accountOf({ concurrency: 2 });
  const [first, second] = [meterOf(0), meterOf(1)];
  const one = first.charge(account, ["getAsset", "getAsset"]);
  second.charge(account, ["getAsset"]);
  expect(codes(first.charge(account, ["getAsset", "getAsset"]).refusals)).toEqual([
    "REQUEST__RATE",
    "REQUEST__RATE",
  ]);
  one.end();
  one.end();
  expect(first.charge(account, ["getAsset"]).refusals).toBeNull();
  expect(second.charge(account, ["getAsset"]).refusals).not.toBeNull();
  clearInProgress(memory, 1);
  expect(first.charge(account, ["getAsset"]).refusals).toBeNull();
  expect(first.charge(account, ["getAsset"]).refusals).not.toBeNull();
});

test("headers name each limit, and what is left of it", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-07-01T23:59:00Z") });
  sumsAreOf("2026-07-01");
  const account = accountOf({
    requestsPerSecond: 5,
    unitsPerSecond: 100,
    requestsPerDay: 1000,
    unitsPerDay: 2000,
    concurrency: 3,
  });
  expect(meterOf(0).charge(account, ["searchAssets", "getAsset"]).headers).toEqual([
    "RateLimit-Policy",
    '"requests-second";q=5;w=1, "units-second";q=100;w=1;lamplight-unit="cost", "requests-day";q=1000;w=86400, "units-day";q=2000;w=86400;lamplight-unit="cost", "concurrency";q=3;qu="concurrent-requests"',
    "RateLimit",
    '"requests-second";r=3;t=1, "units-second";r=70;t=1, "requests-day";r=998;t=60, "units-day";r=1970;t=60, "concurrency";r=2',
  ]);
  expect(meterOf(0).charge(accountOf({ methods: ["getAsset"] }), ["getAsset"]).headers).toEqual([]);
});

test("a busy key gets what is left to a hundredth, and a key with low limits exactly", () => {
  const meter = meterOf(0);
  const left = (account: KeyAccount): number =>
    Number(/r=(\d+)/u.exec(meter.charge(account, ["getAccountInfo"]).headers[3]!)![1]);
  const busy = accountOf({ requestsPerDay: 1000 }, 1);
  expect(Array.from({ length: 12 }, () => left(busy))).toEqual([
    ...Array.from({ length: 10 }, () => 999),
    989,
    989,
  ]);
  nowNs += SECOND_NS / 10;
  expect(left(busy)).toBe(987);
  const low = accountOf({ requestsPerDay: 90 }, 2);
  expect([left(low), left(low)]).toEqual([89, 88]);
});

test("a caller that comes at midnight is not sent away for the new day, while the sums are those of the old one", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-07-01T23:59:30Z") });
  sumsAreOf("2026-07-01");
  const account = accountOf({ requestsPerDay: 1 });
  const meter = meterOf(0);
  expect(admitted(meter, account, "getAsset", 1)).toBe(1);
  const secondsToWait = () => meter.charge(account, ["getAsset"]).refusals![0]!.context["retryAfterSeconds"];
  expect(secondsToWait()).toBe(30);
  vi.setSystemTime(Date.parse("2026-07-02T00:00:00Z"));
  expect(secondsToWait()).toBe(6);
  expect(meter.charge(account, ["getAsset"]).headers).toContain('"requests-day";r=0;t=6');
  sumsAreOf("2026-07-02");
  expect(secondsToWait()).toBe(86_400);
});

test("keys hold for an hour after they were read last", () => {
  const account = accountOf({});
  nowNs += KEYS_HOLD_MS * 1_000_000;
  expect(meterOf(0).charge(account, ["getAsset"]).refusals).toBeNull();
  nowNs += 1;
  expect(codes(meterOf(0).charge(account, ["getAsset"]).refusals)).toEqual(["SERVER__BUSY"]);
});

test("the last of all keys has counters of its own, also with the greatest limits", () => {
  const account = accountOf(
    { requestsPerSecond: 1_000_000, unitsPerDay: 1_000_000_000_000 },
    STORED_KEYS_MAX - 1,
  );
  const neighbour = accountOf({ requestsPerSecond: 1 }, STORED_KEYS_MAX - 2);
  expect(admitted(meterOf(1), account, "searchAssets", 50)).toBe(50);
  expect(cells.sum(cellOf(STORED_KEYS_MAX - 1) + DAY_UNITS)).toBe(1500);
  expect(admitted(meterOf(1), neighbour, "searchAssets", 2)).toBe(1);
});
