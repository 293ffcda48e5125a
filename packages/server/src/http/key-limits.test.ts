// The answers that a key of a key store gets, over HTTP.
import { gzipSync } from "node:zlib";

import { afterEach, expect, test, vi } from "vitest";

import { callText, expectRefusal, post, startTestServer } from "../../test/protocol-server.ts";
import {
  createSmallStore,
  delegatedAccount,
  largeAddress,
  smallAddress,
  token2022Address,
} from "../../test/small-store.ts";
import { clockOf, createKeyCells, dayOf, hourNow, KeyCells, READ_AT, SUMS_DAY } from "../gate/key-cells.ts";
import { defaultCosts } from "../key-store/key-costs.ts";
import { type KeyLimits, type KeyRecord, noLimits } from "../key-store/key-record.ts";
import { hashKey } from "../key-store/make-key.ts";
import type { RequestRecord } from "../observe/request-record.ts";
import type { RunningServer, ServerOptions } from "../start-server.ts";

const key = "lamplight_stored-key";
let server: RunningServer;
const ended: RequestRecord[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await server.stop();
  ended.length = 0;
});

const recordOf = (limits: Partial<KeyLimits>, more: Partial<KeyRecord> = {}): KeyRecord => ({
  name: "acme",
  hash: hashKey(key),
  created: "2026-01-01T00:00:00Z",
  expires: null,
  disabled: null,
  previous: null,
  limits: { ...noLimits, ...limits },
  ...more,
});

const start = async (
  record: KeyRecord,
  options: Partial<ServerOptions> = {},
  costs = defaultCosts,
): Promise<void> => {
  const cells = createKeyCells(1);
  const values = new KeyCells(cells);
  values.setMain(READ_AT, clockOf(cells)());
  values.setMain(SUMS_DAY, dayOf(hourNow()));
  server = await startTestServer({
    servedKeys: { stored: [{ record, slot: 0 }], cells, costs },
    requests: { onEnd: (one) => void ended.push(one) },
    ...options,
  });
};

/** Needs no store. */
const unknown = callText("getNothing", []);
const ask = (body: string, path = `/v3/${key}`) => post(server, body, {}, path);

test("a call over the rate is refused with 429, when to come again, and what is left", async () => {
  // One call uses what is filled in hours.
  await start(recordOf({ unitsPerSecond: 1 }), {}, { ...defaultCosts, other: 10_000 });
  const first = await ask(unknown);
  expect(first.status).toBe(200);
  expect(first.headers.get("ratelimit")).toMatch(/^"units-second";r=0;t=\d+$/u);
  expect(first.headers.get("ratelimit-policy")).toBe('"units-second";q=1;w=1;lamplight-unit="cost"');
  const second = await ask(unknown);
  expectRefusal(second, 429, -32062);
  const refused = JSON.parse(second.text) as {
    error: { message: string; data: Record<string, unknown> };
  };
  expect(refused.error.message).toBe("Too many requests: the key's limit is 1 cost units a second");
  const retryAfter = Number(second.headers.get("retry-after"));
  expect(retryAfter).toBeGreaterThan(5000);
  expect(refused.error.data).toEqual({ reason: "rate", retryAfterSeconds: retryAfter });
  // No earlier than what is left begins to grow.
  expect(retryAfter).toBeGreaterThanOrEqual(Number(/t=(\d+)/u.exec(second.headers.get("ratelimit")!)![1]));
  // The log gets the name.
  expect(ended.map(({ caller, error }) => [caller?.name, error])).toEqual([
    ["acme", "REQUEST__METHOD_NOT_FOUND"],
    ["acme", "REQUEST__RATE"],
  ]);
});

test("a large account costs what reading it takes, also for a slice, in a batch, and by another method", async () => {
  const store = await createSmallStore(10 << 20);
  try {
    for (const count of [1, 3]) {
      await start(recordOf({ unitsPerSecond: 10 }), { viewSource: store.reader });
      const config = { encoding: "base64", dataSlice: { offset: 0, length: 1 } };
      const call = callText("getAccountInfo", [largeAddress, config]);
      const first = await ask(
        count === 1 ? call : `[${Array.from({ length: count }, () => call).join(",")}]`,
      );
      expect(first.text.split('"data":["Ag==","base64"]')).toHaveLength(count + 1);
      const refused = await ask(call);
      expectRefusal(refused, 429, -32062);
      // 160 units for each, of which ten come back in a second.
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(count * 16 - 8);
      await server.stop();
    }
    await start(recordOf({ unitsPerSecond: 10 }), { viewSource: store.reader });
    const noMint = callText("getTokenSupply", [largeAddress]);
    expect((await ask(noMint)).status).toBe(200);
    expectRefusal(await ask(noMint), 429, -32062);
  } finally {
    store.remove();
  }
});

test("accounts of a delegate cost what reading them takes, also where the list is refused", async () => {
  const bytes = 2 << 20;
  for (const count of [1, 17]) {
    const accounts = Array.from({ length: count }, (_, index) => delegatedAccount(10 + index, bytes));
    const store = await createSmallStore(129, accounts);
    try {
      await start(recordOf({ unitsPerSecond: 10 }), { viewSource: store.reader });
      const config = { encoding: "base64", dataSlice: { offset: 0, length: 0 } };
      const list = callText("getTokenAccountsByDelegate", [
        largeAddress,
        { programId: token2022Address },
        config,
      ]);
      const { text } = await ask(list);
      if (count === 1) expect(text).toContain('"data":["","base64"]');
      else expect(text).toContain("the accounts of one list hold more than");
      const refused = await ask(list);
      expectRefusal(refused, 429, -32062);
      // 32 units for each of the first 16, of which ten come back in a second.
      const units = 32 * Math.min(count, 16);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(Math.floor(units / 10) - 1);
    } finally {
      store.remove();
    }
    if (count === 1) await server.stop();
  }
});

test("an account that is named as a mint costs what reading it takes, also where it is none", async () => {
  const store = await createSmallStore(2 << 20);
  try {
    await start(recordOf({ unitsPerSecond: 10 }), { viewSource: store.reader });
    const config = { encoding: "base64" };
    const list = callText("getTokenAccountsByDelegate", [smallAddress, { mint: largeAddress }, config]);
    expect((await ask(list)).text).toContain('"error"');
    expectRefusal(await ask(list), 429, -32062);
  } finally {
    store.remove();
  }
});

test("a quota ends at midnight in UTC", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-07-01T23:00:00Z") });
  await start(recordOf({ unitsPerDay: 1 }));
  await ask(unknown);
  const refused = await ask(unknown);
  expectRefusal(refused, 429, -32063);
  expect(refused.headers.get("retry-after")).toBe("3600");
});

test("a method that the key may not call is refused with 403", async () => {
  await start(recordOf({ methods: ["getAsset"] }));
  expectRefusal(await ask(callText("getAccountInfo", [])), 403, -32061);
});

test("in a batch, account methods answer -32600 with the reason, asset methods their own code", async () => {
  await start(
    recordOf({ unitsPerSecond: 1, methods: ["getAsset", "getTokenSupply"] }),
    {},
    { ...defaultCosts, getAsset: 10_000 },
  );
  const methods = ["getAsset", "getAsset", "getTokenSupply", "searchAssets", "getAccountInfo"];
  const batch = methods.map((method, id) => ({ jsonrpc: "2.0", id, method, params: [] }));
  const { status, text } = await ask(JSON.stringify(batch));
  const errors = (JSON.parse(text) as { error: { code: number; data: { reason?: string } } }[]).map(
    ({ error }) => [error.code, error.data.reason],
  );
  expect(status).toBe(200);
  expect(errors.slice(1)).toEqual([
    [-32062, "rate"],
    [-32600, "rate"],
    [-32061, "key"],
    [-32600, "key"],
  ]);
  expect(errors[0]![0]).toBe(-32602);
});

test("a batch with too many calls for the key is refused as one with too many for the server", async () => {
  await start(recordOf({ batchCalls: 2 }));
  const call = JSON.parse(callText("getAsset", [])) as object;
  const { text } = await ask(JSON.stringify([call, call, call]));
  expect(JSON.parse(text)).toMatchObject({ error: { code: -32065, data: { limit: 2 } } });
});

test("what is no JSON, and what is no call, counts as a call", async () => {
  await start(recordOf({ requestsPerDay: 3 }));
  expect((await ask("{")).status).toBe(200);
  expect((await ask(JSON.stringify([{ jsonrpc: "2.0", method: "getAsset" }, 7]))).status).toBe(200);
  expectRefusal(await ask("{"), 429, -32063);
});

test("requests without a call are refused once they are over a limit, and free their place", async () => {
  await start(recordOf({ requestsPerDay: 2, concurrency: 1 }));
  const [notification, invalid] = [{ jsonrpc: "2.0", method: "getAsset" }, { jsonrpc: "1.0" }];
  expect((await ask(JSON.stringify(notification))).status).toBe(204);
  expect((await ask(JSON.stringify(invalid))).status).toBe(200);
  for (const body of [notification, invalid, [notification, invalid]]) {
    const refused = await ask(JSON.stringify(body));
    expectRefusal(refused, 429, -32063);
    expect(refused.headers.get("ratelimit")).toContain('"concurrency";r=');
  }
});

const askZipped = (body: Uint8Array<ArrayBuffer>) =>
  post(server, body, { "content-encoding": "gzip" }, `/v3/${key}`);
/** Without a length in the head. */
const askInPieces = async (body: string) => {
  const sent = { method: "POST", body: new Blob([body]).stream(), duplex: "half" } as const;
  const response = await fetch(`${server.url}/v3/${key}`, {
    ...sent,
    headers: { "content-type": "application/json" },
  });
  const { status, statusText, headers } = response;
  return { status, statusText, headers, text: await response.text() };
};

test("a body that cannot be unpacked, and one that is too large, count as a call", async () => {
  await start(recordOf({ requestsPerDay: 3 }), { limits: { bodyBytes: 4096 } });
  const [broken, bomb] = [Buffer.from("no gzip"), gzipSync(" ".repeat(5000))];
  const parsed = JSON.parse((await askZipped(broken)).text) as unknown;
  expect(parsed).toMatchObject({ error: { code: -32700 } });
  expectRefusal(await askZipped(bomb), 413, -32064);
  expectRefusal(await askInPieces(" ".repeat(5000)), 413, -32064);
  for (const refused of [
    await askZipped(broken),
    await askZipped(bomb),
    await askInPieces(" ".repeat(5000)),
  ]) {
    expectRefusal(refused, 429, -32063);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  }
});

test("a key that is disabled, expired or rotated away is refused with 403, on open connections too", async () => {
  await start(recordOf({}));
  const states: readonly [Partial<KeyRecord>, RegExp][] = [
    [{ disabled: "2026-01-01T00:00:00Z" }, /disabled/u],
    [{ expires: new Date(Date.now() - 1).toISOString() }, /expired/u],
    [
      {
        hash: "1".repeat(64),
        previous: { hash: hashKey(key), until: new Date(Date.now() - 1).toISOString() },
      },
      /replaced/u,
    ],
  ];
  for (const [state, why] of states) {
    server.useStoredKeys([{ record: recordOf({}), slot: 0 }]);
    expect((await ask(unknown)).status).toBe(200);
    server.useStoredKeys([{ record: recordOf({}, state), slot: 0 }]);
    const refused = await ask(unknown);
    expectRefusal(refused, 403, -32061);
    expect(refused.statusText).toMatch(why);
  }
  server.useStoredKeys([]);
  expectRefusal(await ask(unknown), 401, -32060);
});

test("a key that expires while it is in use is refused from then on, without a change of its store", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-07-01T00:00:00Z") });
  await start(recordOf({}, { expires: "2026-07-01T00:00:10Z" }));
  expect((await ask(unknown)).status).toBe(200);
  vi.setSystemTime(Date.parse("2026-07-01T00:00:10Z"));
  expectRefusal(await ask(unknown), 403, -32061);
});

test("both keys of a rotation share one limit", async () => {
  const other = "lamplight_new-key";
  const previous = { hash: hashKey(key), until: new Date(Date.now() + 60_000).toISOString() };
  await start(recordOf({ requestsPerDay: 2 }, { hash: hashKey(other), previous }));
  expect((await ask(unknown)).status).toBe(200);
  expect((await ask(unknown, `/v3/${other}`)).status).toBe(200);
  expectRefusal(await ask(unknown), 429, -32063);
  expectRefusal(await ask(unknown, `/v3/${other}`), 429, -32063);
});

test("a request that is over gives its place back, also one that is not answered", async () => {
  const view = Promise.withResolvers<never>();
  await start(recordOf({ concurrency: 1 }), { viewSource: { openView: () => view.promise } });
  const left = new AbortController();
  const headers = { "content-type": "application/json" };
  const body = callText("getAccountInfo", ["So11111111111111111111111111111111111111112"]);
  const call = () => fetch(`${server.url}/v3/${key}`, { method: "POST", headers, body, signal: left.signal });
  const pending = call();
  await vi.waitFor(async () => expect((await ask(unknown)).status).toBe(429));
  left.abort();
  await expect(pending).rejects.toThrow();
  // Until its last read is over, it still uses the server.
  expect((await ask(unknown)).status).toBe(429);
  view.reject(new Error("the view could not be opened"));
  await vi.waitFor(async () => expect((await ask(unknown)).status).toBe(200), { timeout: 10_000 });
});

test("a key of the settings has no limits, and no headers", async () => {
  await start(recordOf({ requestsPerDay: 1 }));
  const answer = await post(server, unknown);
  expect([answer.status, answer.headers.get("ratelimit")]).toEqual([200, null]);
});
