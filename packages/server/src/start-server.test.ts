import { connect } from "node:net";

import { contractDocument } from "@lamplight/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createCountingStore } from "../test/counting-store.ts";
import { post, testKey } from "../test/protocol-server.ts";
import {
  createSmallStore,
  largeAddress,
  missingAddress,
  SMALL_STORE_SLOT,
  smallAddress,
  type SmallStore,
} from "../test/small-store.ts";
import type { CallReport } from "./rpc/observer.ts";
import { type RunningServer, startServer } from "./start-server.ts";
import { apiVersion } from "./version.ts";

let store: SmallStore;
let server: RunningServer;
const reports: CallReport[] = [];

beforeAll(async () => {
  store = await createSmallStore();
  server = await startServer({
    viewSource: store.reader,
    keys: [testKey],
    port: 0,
    observe: (report) => reports.push(report),
  });
});

afterAll(async () => {
  await server.stop();
  store.remove();
});

const call = (method: string, params: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const context = `{"apiVersion":"${apiVersion}","slot":${SMALL_STORE_SLOT}}`;
const solanaValue = { "solana-client": "js/1.98.4" };

const readiness = async (path: string, authorization = ""): Promise<unknown> =>
  (await fetch(server.url + path, { headers: { authorization } })).json();

describe("startServer", () => {
  test("answers an account digit for digit, and its slot in a header too", async () => {
    const { text, headers } = await post(
      server,
      call("getAccountInfo", [smallAddress, { encoding: "base64" }]),
    );
    expect(text).toBe(
      `{"jsonrpc":"2.0","result":{"context":${context},"value":{"data":["AQE=","base64"],"executable":false,` +
        `"lamports":18446744073709551615,"owner":"11111111111111111111111111111111","rentEpoch":18446744073709551615,"space":2}},"id":1}`,
    );
    expect(headers.get("x-slot")).toBe(String(SMALL_STORE_SLOT));
  });

  test("reports the slot of an answer that it kept, as of one that it reads", async () => {
    const keeping = await startServer({
      viewSource: store.reader,
      keys: [testKey],
      port: 0,
      largestAccountsCacheSeconds: 3600,
    });
    const body = call("getLargestAccounts", []);
    const [first, kept] = [await post(keeping, body), await post(keeping, body)];
    expect(kept.text).toBe(first.text);
    expect(kept.headers.get("x-slot")).toBe(String(SMALL_STORE_SLOT));
    await keeping.stop();
  });

  test("answers by name as by position", async () => {
    const byName = await post(
      server,
      call("getAccountInfo", { address: smallAddress, config: { encoding: "base58" } }),
    );
    const byPosition = await post(server, call("getAccountInfo", [smallAddress, { encoding: "base58" }]));
    expect(byName.text).toBe(byPosition.text);
  });

  test("answers a missing account by the profile of the caller", async () => {
    const body = call("getAccountInfo", [missingAddress]);
    expect((await post(server, body)).text).toBe('{"jsonrpc":"2.0","result":null,"id":1}');
    expect((await post(server, body, solanaValue)).text).toBe(
      `{"jsonrpc":"2.0","result":{"context":${context},"value":null},"id":1}`,
    );
  });

  test("picks the encoding of a call that names none by the profile of the caller", async () => {
    const small = call("getAccountInfo", [smallAddress]);
    const large = call("getAccountInfo", [largeAddress]);
    expect((await post(server, small)).text).toContain('"data":["AQE=","base64"]');
    expect((await post(server, small, solanaValue)).text).toContain('"data":"5S"');
    expect((await post(server, large)).text).toContain('","base64"]');
    expect(JSON.parse((await post(server, large, solanaValue)).text)).toMatchObject({
      error: { code: -32600 },
    });
  });

  test("refuses an unknown member of an account method's config unless a Solana client sent it", async () => {
    const body = call("getAccountInfo", [smallAddress, { encodin: "base58", encoding: "base64" }]);
    expect(JSON.parse((await post(server, body)).text)).toMatchObject({
      error: { code: -32602, data: { parameter: "config", position: 2, hint: "did you mean encoding?" } },
    });
    expect((await post(server, body, solanaValue)).text).toContain('"data":["AQE=","base64"]');
  });

  test.each([
    [
      "getAsset",
      { id: smallAddress, displayOptions: { showFungibles: true } },
      "displayOptions",
      "showFungible",
    ],
    ["getAsset", { id: smallAddress, options: { showFungible: 1 } }, "options.showFungible", undefined],
    ["getNftEditions", { mintAddress: "x" }, "mintAddress", undefined],
    ["searchAssets", { delegate: "x" }, "delegate", undefined],
    ["searchAssets", { delegateAddress: "x" }, "delegateAddress", undefined],
    ["searchAssets", { tokenType: "fungibles" }, "tokenType", "fungible"],
  ])("names a parameter of %s as the caller did: %j", async (method, params, parameter, nearest) => {
    const { error } = JSON.parse((await post(server, call(method, params))).text) as { error: object };
    expect(error).toMatchObject({ code: -32602, data: { parameter } });
    if (nearest !== undefined) expect(error).toMatchObject({ data: { hint: `did you mean ${nearest}?` } });
  });

  test("keeps to a profile that is set", async () => {
    const set = await startServer({ viewSource: store.reader, keys: [testKey], port: 0, profile: "agave" });
    try {
      const { text } = await post(set, call("getAccountInfo", [missingAddress]));
      expect(text).toContain('"value":null');
    } finally {
      await set.stop();
    }
  });

  test("answers a batch in one go, with the slot of all", async () => {
    const batch = [1, "two", null].map((id) => ({
      jsonrpc: "2.0",
      id,
      method: "getAccountInfo",
      params: [missingAddress],
    }));
    const { text, headers } = await post(server, JSON.stringify(batch), solanaValue);
    const result = `"result":{"context":${context},"value":null}`;
    expect(text).toBe(
      `[{"jsonrpc":"2.0",${result},"id":1},{"jsonrpc":"2.0",${result},"id":"two"},{"jsonrpc":"2.0",${result},"id":null}]`,
    );
    expect(headers.get("x-slot")).toBe(String(SMALL_STORE_SLOT));
  });

  test("bounds the answers of a batch, not of a single call", async () => {
    const tight = await startServer({
      viewSource: store.reader,
      keys: [testKey],
      port: 0,
      limits: { batchReplyChars: 100 },
    });
    try {
      const body = call("getAccountInfo", [largeAddress]);
      const { text } = await post(tight, `[${body},${body}]`);
      expect(JSON.parse(text)).toMatchObject([
        { result: { value: { space: 129 } } },
        { error: { code: -32602, data: { reason: "QUERY__OVER_BUDGET" } } },
      ]);
      expect(JSON.parse((await post(tight, body)).text)).toMatchObject({ result: { value: { space: 129 } } });
    } finally {
      await tight.stop();
    }
  });

  test("gives no slot to an answer that read none", async () => {
    const { headers, text } = await post(server, call("getAccountInfo", [1]));
    expect(JSON.parse(text)).toMatchObject({
      error: { code: -32602, data: { parameter: "address", position: 1 } },
    });
    expect(headers.get("x-slot")).toBeNull();
  });

  test("gives every view back, regardless of what becomes of the calls", async () => {
    const single = createCountingStore(store);
    const counted = await startServer({ viewSource: single.viewSource, keys: [testKey], port: 0 });
    try {
      await post(counted, call("getAccountInfo", [smallAddress]));
      await post(counted, call("getAsset", [smallAddress]));
      await post(counted, call("getTokenSupply", ["bad"]));
      await post(
        counted,
        `[${call("getAccountInfo", [smallAddress])},${call("getTokenSupply", [smallAddress])}]`,
      );
      expect(single.opened()).toBeGreaterThanOrEqual(3);
      expect(single.open()).toBe(0);
    } finally {
      await counted.stop();
    }
  });

  test("says that it is ready and at which slot; what it covers only to callers with a key", async () => {
    const short = { status: "ready", slot: SMALL_STORE_SLOT };
    const full = { ...short, coverage: { kind: "whole" }, incompleteTreeCount: 0, incompleteTrees: [] };
    expect(await readiness("/readyz")).toEqual(short);
    expect(await readiness(`/v3/${testKey}/readyz`)).toEqual(full);
    expect(await readiness("/readyz", `Bearer ${testKey}`)).toEqual(full);
    for (const wrong of [await readiness("/v3/wrong/readyz"), await readiness("/readyz", "Bearer wrong")])
      expect(wrong).toMatchObject({ error: { code: -32060 }, id: null });
  });

  test("says why it is not ready, once a second regardless of who asks", async () => {
    let reads = 0;
    const following = await startServer({
      viewSource: store.reader,
      keys: [testKey],
      port: 0,
      liveStatus: () => {
        reads++;
        return { isReady: false, detail: { status: "source behind", sourceSlot: 7 } };
      },
    });
    try {
      const startMs = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const response = await fetch(`${following.url}/readyz`);
          return [response.status, response.headers.get("retry-after"), await response.json()];
        }),
      );
      for (const answer of answers)
        expect(answer).toEqual([
          503,
          "1",
          { status: "behind", slot: SMALL_STORE_SLOT, reason: "source behind" },
        ]);
      expect(reads).toBeLessThanOrEqual(1 + (performance.now() - startMs) / 1000);
    } finally {
      await following.stop();
    }
  });

  test("says how its search index is, and what it takes, where there is one", async () => {
    const sizes = { changeSeq: 7, assets: 3, terms: 31, columnBytes: 144, orderBytes: 36, termBytes: 90 };
    let isFilling = true;
    const searching = await startServer({
      viewSource: store.reader,
      keys: [testKey],
      port: 0,
      searchStatus: () => ({ isFilling, ...sizes }),
    });
    try {
      const reported = async (): Promise<unknown> =>
        (await fetch(`${searching.url}/v3/${testKey}/readyz`)).json();
      expect(await reported()).toMatchObject({ status: "ready", search: { status: "filling", ...sizes } });
      isFilling = false;
      await expect.poll(reported).toMatchObject({ status: "ready", search: { status: "ready", ...sizes } });
    } finally {
      await searching.stop();
    }
  });

  test("describes itself by the contract", async () => {
    const { text } = await post(server, call("rpc.discover", []));
    const servers = [{ name: "Lamplight", url: `${server.url}/v3/${testKey}` }];
    expect(text).toBe(
      `{"jsonrpc":"2.0","result":${JSON.stringify({ ...contractDocument, servers })},"id":1}`,
    );
    expect(text).toContain("18446744073709551615");
  });

  test("reports each call to who watches, without parameters", async () => {
    reports.length = 0;
    await post(server, call("getAccountInfo", [smallAddress]));
    await post(server, call("getAccountInfo", []));
    await post(server, call("x".repeat(1000), []));
    expect(reports).toEqual([
      {
        method: "getAccountInfo",
        durationMs: expect.any(Number) as number,
        outcome: "ok",
        error: null,
        bytes: expect.any(Number) as number,
      },
      {
        method: "getAccountInfo",
        durationMs: expect.any(Number) as number,
        outcome: "error",
        error: expect.stringContaining("PARAM__") as string,
        bytes: 0,
      },
      {
        method: null,
        durationMs: expect.any(Number) as number,
        outcome: "error",
        error: "REQUEST__METHOD_NOT_FOUND",
        bytes: 0,
      },
    ]);
  });

  test("reports a search whose caller has left, and gives its view back", async () => {
    const started = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const search = async (): Promise<never> => {
      started.resolve();
      await gone.promise;
      throw new Error("the search was cancelled");
    };
    const single = createCountingStore(store, { search, cancel: () => gone.resolve() });
    const waiting = await startServer({ viewSource: single.viewSource, keys: [testKey], port: 0 });
    try {
      const body = call("searchAssets", { burnt: false });
      const socket = connect(waiting.port, "127.0.0.1");
      socket.write(
        `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await started.promise;
      socket.destroy();
      await gone.promise;
      await single.allClosed();
      expect(single.open()).toBe(0);
    } finally {
      await waiting.stop();
    }
  });
});
