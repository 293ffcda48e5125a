import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { KeyAccount, type StoredKey } from "../../gate/key-account.ts";
import { cellOf, DAY_REQUESTS, KeyCells } from "../../gate/key-cells.ts";
import { defaultCosts } from "../../key-store/key-costs.ts";
import { KeyMeter } from "../../gate/key-meter.ts";
import { createKey, disableKey } from "../../key-store/key-admin.ts";
import { KeyFile } from "../../key-store/key-file.ts";
import { noLimits } from "../../key-store/key-record.ts";
import { KeyMetrics } from "../../metrics/key-metrics.ts";
import { KeyKeeper } from "./key-keeper.ts";

let folder: string;
let file: string;
const logged: string[] = [];
const write = (fields: object, message: string): void =>
  void logged.push(`${message} ${JSON.stringify(fields)}`);
const log = { info: write, warn: write, error: write };
const open: KeyKeeper[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-keeper-"));
  file = join(folder, "keys.json");
});
afterEach(async () => {
  for (const keeper of open.splice(0)) await keeper.close();
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
  logged.length = 0;
});

const make = (name: string, limits = {}) =>
  createKey(new KeyFile(file), { name, expires: null, limits: { ...noLimits, ...limits } });

const openKeeper = async (): Promise<KeyKeeper> => {
  const keeper = await KeyKeeper.open(new KeyFile(file), 1, log);
  open.push(keeper);
  return keeper;
};

const closeKeeper = async (keeper: KeyKeeper): Promise<void> => {
  open.splice(open.indexOf(keeper), 1);
  await keeper.close();
};

/** Admitted calls of so many. */
const call = (keeper: KeyKeeper, method: string, count: number, slot = 0): number => {
  const meter = new KeyMeter(keeper.cells, 0, defaultCosts);
  const account = new KeyAccount(keeper.stored[slot]!);
  return Array.from({ length: count }, () => meter.charge(account, [method]).refusals).filter(
    (refusals) => refusals === null,
  ).length;
};

const usage = async () => {
  const stored = await new KeyFile(file).openUsage("read");
  try {
    return await stored.list(0, 1e9);
  } finally {
    await stored.close();
  }
};

test("a changed file holds within moments; a half-written one changes nothing and is reported", async () => {
  await make("acme");
  const keeper = await openKeeper();
  const seen: (readonly StoredKey[])[] = [];
  keeper.start((stored) => seen.push(stored));
  await make("other");
  await vi.waitFor(() => expect(seen).toHaveLength(1), { timeout: 20_000 });
  expect(seen[0]!.map(({ record, slot }) => [record.name, slot])).toEqual([
    ["acme", 0],
    ["other", 1],
  ]);
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole.slice(0, 80));
  await vi.waitFor(() => expect(logged.join()).toContain("API keys cannot be read"), { timeout: 20_000 });
  expect(keeper.stored).toBe(seen[0]);
  writeFileSync(file, whole);
  await disableKey(new KeyFile(file), "acme", true);
  await vi.waitFor(() => expect(keeper.stored[0]!.record.disabled).not.toBeNull(), { timeout: 20_000 });
  expect(logged.join()).toContain('"changed":["acme"]');
});

test("a file that is wrong is parsed once, and counts as unread until it is right again", async () => {
  await make("acme");
  const whole = readFileSync(file, "utf8");
  const stored = new KeyFile(file);
  let parsed = 0;
  let looks = 0;
  const store = Object.assign(Object.create(stored) as KeyFile, {
    read: async (known: string | null) => {
      const read = await stored.read(known);
      looks += 1;
      return read && { ...read, parse: () => ((parsed += 1), read.parse()) };
    },
  });
  const keeper = await KeyKeeper.open(store, 1, log);
  open.push(keeper);
  keeper.start(() => undefined);
  // A file that is written in place may be read while it is empty.
  const replace = (text: string): void => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  replace("{}");
  await vi.waitFor(() => expect(parsed).toBe(2), { timeout: 20_000 });
  const before = looks;
  await vi.waitFor(() => expect(looks).toBeGreaterThanOrEqual(before + 2), { timeout: 20_000 });
  expect([parsed, keeper.stored.length]).toEqual([2, 1]);
  const age = keeper.readAgeSeconds;
  expect(age).toBeGreaterThan(0);
  replace(whole);
  await vi.waitFor(() => expect(keeper.readAgeSeconds).toBeLessThan(age), { timeout: 20_000 });
  expect(parsed).toBe(3);
});

test("a server that takes no keys keeps none from the others", async () => {
  await make("acme");
  const keeper = await openKeeper();
  const seen: number[] = [];
  keeper.start((stored) => {
    seen.push(stored.length);
    return seen.length === 1 ? new Promise(() => undefined) : Promise.reject(new Error("it has ended"));
  });
  for (const [at, name] of ["second", "third"].entries()) {
    await make(name);
    await vi.waitFor(() => expect(seen).toHaveLength(at + 1), { timeout: 20_000 });
  }
  expect(seen).toEqual([2, 3]);
  await vi.waitFor(() => expect(logged.join()).toContain("did not reach all servers"));
  expect(logged.join()).not.toContain("cannot be read");
});

test("calls are kept by hour, key and method, and a quota outlives the process", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-07-01T10:30:00Z") });
  await make("acme", { requestsPerDay: 10 });
  const first = await openKeeper();
  expect(call(first, "getAsset", 4) + call(first, "searchAssets", 2)).toBe(6);
  vi.setSystemTime(Date.parse("2026-07-01T11:00:00Z"));
  await first.usage.flush();
  call(first, "getAsset", 1);
  await closeKeeper(first);
  const hour = Date.parse("2026-07-01T10:00:00Z") / 3_600_000;
  const { getAsset, searchAssets } = defaultCosts;
  expect(await usage()).toEqual([
    { hour, key: "acme", method: "getAsset", requests: 4, units: 4 * getAsset! },
    { hour, key: "acme", method: "searchAssets", requests: 2, units: 2 * searchAssets! },
    { hour: hour + 1, key: "acme", method: "getAsset", requests: 1, units: getAsset },
  ]);
  const second = await openKeeper();
  expect(call(second, "getAsset", 9)).toBe(3);
});

test("a new day begins with a new quota; a clock that goes back gives none", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-07-01T10:00:00Z") });
  await make("acme", { requestsPerDay: 5 });
  const keeper = await openKeeper();
  expect(call(keeper, "getAsset", 9)).toBe(5);
  vi.setSystemTime(Date.parse("2026-07-02T00:00:00Z"));
  const account = new KeyAccount(keeper.stored[0]!);
  const meter = new KeyMeter(keeper.cells, 0, defaultCosts);
  const { refusals } = meter.charge(account, ["getAsset"]);
  expect(refusals![0]!.context).toMatchObject({ retryAfterSeconds: 6 });
  await keeper.usage.flush();
  expect(meter.charge(account, ["getAsset"]).headers).toContain('"requests-day";r=4;t=86400');
  expect(call(keeper, "getAsset", 9)).toBe(4);
  vi.setSystemTime(Date.parse("2026-07-01T23:00:00Z"));
  await keeper.usage.flush();
  expect(call(keeper, "getAsset", 9)).toBe(0);
});

test("a clock that leaps while the calls cannot be written gives no quota for them", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-07-01T10:00:00Z") });
  await make("acme", { requestsPerDay: 5 });
  const keeper = await openKeeper();
  const { DatabaseSync } = await import("node:sqlite");
  const blocker = new DatabaseSync(`${file}.usage`);
  blocker.exec("ALTER TABLE day RENAME TO away");
  expect(call(keeper, "getAsset", 3)).toBe(3);
  for (const now of ["2026-07-02T00:00:00Z", "2026-07-01T10:00:00Z"]) {
    vi.setSystemTime(Date.parse(now));
    await keeper.usage.flush();
  }
  expect(call(keeper, "getAsset", 9)).toBe(2);
  blocker.exec("ALTER TABLE away RENAME TO day");
  blocker.close();
  await keeper.usage.flush();
  expect(call(keeper, "getAsset", 9)).toBe(0);
});

/** Writes calls of long ago, which nothing can remove. */
const keepOldCalls = async (): Promise<void> => {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(`${file}.usage`);
  database.exec(`INSERT INTO usage VALUES (1, 'acme', 'getAsset', 1, 1);
CREATE TRIGGER kept BEFORE DELETE ON usage BEGIN SELECT RAISE(ABORT, 'kept'); END`);
  database.close();
};

test("old calls that cannot be removed take nothing from the sums of the new day", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-07-01T10:00:00Z") });
  await make("acme", { requestsPerDay: 5 });
  const keeper = await openKeeper();
  await keepOldCalls();
  expect(call(keeper, "getAsset", 9)).toBe(5);
  vi.setSystemTime(Date.parse("2026-07-02T00:00:00Z"));
  await keeper.usage.flush();
  expect(logged.join()).toContain("old calls of API keys cannot be removed");
  expect(call(keeper, "getAsset", 9)).toBe(5);
});

test("a server starts while another one writes, and old calls stay until the next day", async () => {
  await make("acme", { requestsPerDay: 5 });
  const first = await openKeeper();
  call(first, "getAsset", 3);
  await closeKeeper(first);
  const { DatabaseSync } = await import("node:sqlite");
  const writer = new DatabaseSync(`${file}.usage`);
  writer.exec("BEGIN IMMEDIATE");
  const second = await openKeeper();
  writer.exec("ROLLBACK");
  writer.close();
  expect(logged.join()).toContain("old calls of API keys cannot be removed");
  expect(call(second, "getAsset", 9)).toBe(2);
});

test("calls by hour are kept for 92 days", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-07-01T10:00:00Z") });
  await make("acme");
  const keeper = await openKeeper();
  call(keeper, "getAsset", 1);
  await keeper.usage.flush();
  vi.setSystemTime(Date.parse("2026-08-01T10:00:00Z"));
  await keeper.usage.flush();
  call(keeper, "getAsset", 2);
  await keeper.usage.flush();
  expect((await usage()).map(({ requests }) => requests)).toEqual([1, 2]);
  vi.setSystemTime(Date.parse("2026-10-01T11:00:00Z"));
  await keeper.usage.flush();
  // A clock may jump: only a call shows that it is so late.
  expect((await usage()).map(({ requests }) => requests)).toEqual([1, 2]);
  call(keeper, "getAsset", 3);
  vi.setSystemTime(Date.parse("2026-10-02T11:00:00Z"));
  await keeper.usage.flush();
  expect((await usage()).map(({ requests }) => requests)).toEqual([2, 3]);
});

test("two servers with one file know of each other's calls after both have written", async () => {
  await make("acme", { requestsPerDay: 10 });
  const [first, second] = [await openKeeper(), await openKeeper()];
  expect(call(first, "getAsset", 6)).toBe(6);
  await first.usage.flush();
  await second.usage.flush();
  expect(call(second, "getAsset", 9)).toBe(4);
  await second.usage.flush();
  await first.usage.flush();
  expect(call(first, "getAsset", 9)).toBe(0);
  expect(new KeyCells(first.cells).sum(cellOf(0) + DAY_REQUESTS)).toBe(10);
});

test("calls that cannot be written wait, and are counted once", async () => {
  await make("acme");
  const keeper = await openKeeper();
  const { DatabaseSync } = await import("node:sqlite");
  const blocker = new DatabaseSync(`${file}.usage`);
  blocker.exec("DROP TABLE day");
  call(keeper, "getAsset", 3);
  await keeper.usage.flush();
  expect(keeper.usage.unsavedRows).toBe(1);
  expect(logged.join()).toContain("calls of API keys cannot be counted for good");
  blocker.exec(
    "CREATE TABLE day (day INTEGER, key TEXT, requests INTEGER, units INTEGER, PRIMARY KEY (day, key)) WITHOUT ROWID",
  );
  blocker.close();
  call(keeper, "getAsset", 2);
  await keeper.usage.flush();
  expect((await usage()).map(({ requests }) => requests)).toEqual([5]);
});

test("the last calls of a key are counted that is removed from the file", async () => {
  await make("acme");
  await make("other");
  const keeper = await openKeeper();
  call(keeper, "getAsset", 3);
  keeper.usage.useKeys(keeper.stored.slice(1));
  keeper.usage.useKeys(keeper.stored.slice(1));
  await keeper.usage.flush();
  expect((await usage()).map(({ key, requests }) => [key, requests])).toEqual([["acme", 3]]);
});

test("metrics name the first hundred keys that call, and sum up the others", async () => {
  await make("key-0");
  const template = JSON.parse(readFileSync(file, "utf8")) as { keys: { name: string; hash: string }[] };
  template.keys = Array.from({ length: 10_000 }, (_, index) => ({
    ...template.keys[0]!,
    name: `key-${index}`,
    hash: index.toString(16).padStart(64, "0"),
  }));
  writeFileSync(file, JSON.stringify(template));
  const keeper = await openKeeper();
  for (let slot = 0; slot < 300; slot += 1) call(keeper, "getAsset", 2, slot);
  const [requests] = new KeyMetrics().families(keeper);
  const values = requests!.values;
  expect(values).toHaveLength(101);
  expect(values.find(({ labels }) => labels["key"] === "(other)")!.value).toBe(400);
  await keeper.usage.flush();
  expect(await usage()).toHaveLength(300);
});

test("a file that is missing or wrong keeps a server from starting, with a reason", async () => {
  await expect(openKeeper()).rejects.toThrow("does not exist; make it with lamplight keys create");
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(file, "{}");
  await expect(openKeeper()).rejects.toThrow("version must be 1");
});
