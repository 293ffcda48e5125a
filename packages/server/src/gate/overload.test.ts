// More calls than can be answered: the refused ones are refused early, the others are answered in time.
import { once } from "node:events";
import { connect } from "node:net";

import type { ViewSource, ReadView } from "@lamplight/core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { type Answer, callText, post, startTestServer, testKey } from "../../test/protocol-server.ts";
import { createSmallStore, smallAddress, type SmallStore } from "../../test/small-store.ts";
import { type RunningServer, startServer } from "../start-server.ts";
import type { Limits } from "../limits.ts";
import { ownTimeMs } from "./loop-delay.ts";

const search = callText("searchAssets", { burnt: false });
const account = callText("getAccountInfo", [smallAddress]);

let store: SmallStore;
let server: RunningServer;
beforeAll(async () => {
  store = await createSmallStore();
});
afterEach(() => server.stop());
afterAll(() => store.remove());

const useOwnTime = (ms: number): void => {
  const endMs = ownTimeMs() + ms;
  while (ownTimeMs() < endMs);
};

const SEARCH_MS = 5;

/** The real store, each search of which takes some processor time. */
const slowView = (view: ReadView): ReadView => {
  const read: ReadView["read"] = (asked) => {
    if (asked.kind === "search") useOwnTime(SEARCH_MS);
    return view.read(asked);
  };
  return new Proxy(view, {
    get: (target, name) => {
      const value: unknown = name === "read" ? read : Reflect.get(target, name, target);
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
};

const slowStore = (): ViewSource => ({
  openView: (commitment) => {
    const view = store.reader.openView(commitment);
    return view instanceof Promise ? view.then(slowView) : slowView(view);
  },
});

const start = async (limits: Partial<Limits>): Promise<void> => {
  server = await startServer({ viewSource: slowStore(), keys: ["one", "two"], port: 0, limits });
};

const CALLERS = 150;

/** So many callers of one key, each of which sends the body again and again: a server takes one new connection a turn. */
const flood = async (rounds: number, body: string, callers = CALLERS): Promise<Answer[]> => {
  const callOn = async (): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (let round = 0; round < rounds; round++) answers.push(await post(server, body, {}, "/v3/one"));
    return answers;
  };
  return (await Promise.all(Array.from({ length: callers }, callOn))).flat();
};

const isRefused = async (body: string): Promise<boolean> =>
  (await post(server, body, {}, "/v3/two")).status === 503;

/** Makes every round of the event loop take so much processor time until something happens. */
const burnUntil = async (roundMs: number, isEnough: () => Promise<boolean>): Promise<void> => {
  let isOver = false;
  const burn = (): void => {
    useOwnTime(roundMs);
    if (!isOver) setImmediate(burn);
  };
  burn();
  await expect.poll(isEnough, { interval: 10 }).toBe(true);
  isOver = true;
};

describe("under overload", () => {
  test("late calls are refused; probes, cheap calls and other keys are answered", async () => {
    await start({});
    const over = new AbortController();
    const flooding = flood(4, search).finally(() => over.abort());
    const others: number[] = [];
    while (!over.signal.aborted) {
      others.push((await fetch(`${server.url}/livez`)).status, (await fetch(`${server.url}/readyz`)).status);
      others.push((await post(server, account, {}, "/v3/one")).status);
      others.push((await post(server, search, {}, "/v3/two")).status);
    }
    expect(new Set(others)).toEqual(new Set([200]));
    const answers = await flooding;
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(answers.length);
    for (const { status, headers, text } of refused) {
      expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
      expect(JSON.parse(text)).toMatchObject({ error: { code: -32069, data: { reason: "busy" } }, id: null });
    }
    expect(server.counts().overloaded).toBe(refused.length);
    // The refusals last no longer than the overload.
    expect((await post(server, search, {}, "/v3/one")).status).toBe(200);
  });

  test("a few callers that wait for each answer are no overload", async () => {
    await start({});
    const answers = await flood(4, search, 60);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("a batch is refused call by call", async () => {
    await start({ waitingRequests: 1 });
    const answers = await flood(4, `[${account},${search},${callText("nope", [])},7]`);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // The others were started: of these, only calls that had to wait for a read view may be refused.
    const refused = answers
      .map(({ text }) => JSON.parse(text))
      .filter(([, , unknown]) => unknown.error.code === -32069);
    expect(refused.length).toBeGreaterThan(0);
    for (const one of refused)
      expect(one).toMatchObject([
        { error: { code: -32603, data: { reason: "busy" } }, id: 1 },
        { error: { code: -32069, data: { reason: "busy" } }, id: 1 },
        { error: { code: -32069 }, id: 1 },
        { error: { code: -32600 }, id: null },
      ]);
  });

  test("a slow event loop refuses expensive calls first, then cheap ones", async () => {
    await start({});
    const accounts: boolean[] = [];
    await burnUntil(300, async () => {
      accounts.push(await isRefused(account));
      return isRefused(search);
    });
    expect(accounts).not.toContain(true);
    await burnUntil(600, () => isRefused(account));
    await expect.poll(() => isRefused(search)).toBe(false);
  });
});

test("bodies that are being received are bounded together, small ones are always taken", async () => {
  server = await startTestServer({ limits: { owedBytes: 80_000 } });
  const head = `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20000\r\n\r\n`;
  const slow = connect(server.port, "127.0.0.1");
  await once(slow, "connect");
  slow.write(head + " ".repeat(9900));
  const body = callText("nope", []).padEnd(5000);
  const status = async (): Promise<number> => (await post(server, body)).status;
  await expect.poll(status).toBe(503);
  const refused = await post(server, body);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(JSON.parse(refused.text)).toMatchObject({ error: { code: -32069 }, id: null });
  expect(server.counts().overBodies).toBeGreaterThan(0);
  expect((await post(server, callText("nope", []).padEnd(200))).status).toBe(200);
  slow.destroy();
  await expect.poll(status).toBe(200);
  for (let count = 0; count < 30; count++) expect(await status()).toBe(200);
});
