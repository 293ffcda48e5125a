import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programAddresses, encodeAddress } from "@lamplight/codecs";
import { callMethod, createMethodSettings, CallRequest } from "@lamplight/core";
import { startSearchLife } from "@lamplight/search";
import { type RunningServer, type ServerOptions, startServer } from "@lamplight/server";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildHostileStore, keyOf, textOf } from "./hostile-store.ts";

const keyText = "key-of-hostile-calls";
const sizes = {
  delegated: 9000,
  heldMints: 9000,
  owned: 1000,
  prints: 50,
  large: 12,
  largeBytes: 400_000,
  sharing: 100,
  accountBytes: 10 << 20,
};

const rethrow = (error: unknown): never => {
  throw error;
};

let folder: string;
let life: Awaited<ReturnType<typeof startSearchLife>>;
let reader: ReturnType<typeof openSqliteReader>;
const servers: RunningServer[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-hostile-"));
  await buildHostileStore(join(folder, "hostile.db"), sizes);
  reader = openSqliteReader({ file: join(folder, "hostile.db") });
  life = await startSearchLife({
    viewSource: reader,
    file: null,
    onError: rethrow,
    onForeign: () => undefined,
  });
  await life.filled;
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await life.close();
  reader.close();
  rmSync(folder, { recursive: true });
});

const serve = async (limits: ServerOptions["limits"] = {}): Promise<RunningServer> => {
  const server = await startServer({ viewSource: life.viewSource, keys: [keyText], port: 0, limits });
  servers.push(server);
  return server;
};

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data: never };
}

const post = async <Body>(server: RunningServer, calls: unknown): Promise<Body> => {
  const response = await fetch(`${server.url}/v3/${keyText}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(calls),
  });
  return (await response.json()) as Body;
};

const call = (method: string, params: object, id = 1) => ({ jsonrpc: "2.0", id, method, params });

const ask = (server: RunningServer, method: string, params: object): Promise<Answer> =>
  post<Answer>(server, call(method, params));

const large = { ownerAddress: textOf("large") };
const delegated = {
  address: textOf("delegate"),
  accountDetails: { programId: encodeAddress(programAddresses.token) },
};

describe("the bound of an answer", () => {
  test("refuses a search with a limit that is answered", async () => {
    const server = await serve({ answerBytes: 500_000 });
    const { error } = await ask(server, "searchAssets", { ...large, limit: 1000 });
    expect(error).toMatchObject({ code: -32066, data: { reason: "QUERY__OVER_BUDGET" } });
    const limit = Number(/a smaller limit, such as (\d+)/.exec(error!.message)?.[1]);
    const smaller = await ask(server, "searchAssets", { ...large, limit });
    expect(smaller.result).toMatchObject({ total: sizes.large, limit });
  });

  test("refuses a delegate of too many accounts in the words of account methods", async () => {
    const server = await serve({ answerBytes: 500_000 });
    for (const config of [{}, { dataSlice: { offset: 0, length: 8 } }]) {
      const { error } = await ask(server, "getTokenAccountsByDelegate", { ...delegated, config });
      expect(error).toMatchObject({ code: -32602, data: { reason: "QUERY__OVER_BUDGET" } });
    }
  });

  test("takes an account of 10 MiB, and refuses it where the operator needs less", async () => {
    const params = { address: textOf("account"), config: { encoding: "base64" } };
    const { result } = await ask(await serve(), "getAccountInfo", params);
    const { data } = (result as { value: { data: [string] } }).value;
    expect(Buffer.alloc(10 << 20, 7).equals(Buffer.from(data[0], "base64"))).toBe(true);
    expect((await ask(await serve({ answerBytes: 1 << 20 }), "getAccountInfo", params)).error).toMatchObject({
      code: -32602,
      data: { reason: "QUERY__OVER_BUDGET" },
    });
  });

  test("takes a thousand ordinary assets, with options too", async () => {
    const server = await serve();
    for (const options of [{}, { showFungible: true }]) {
      const params = { ownerAddress: textOf("owner"), limit: 1000, options };
      const { result } = await ask(server, "searchAssets", params);
      expect((result as { items: unknown[] }).items).toHaveLength(1000);
    }
  });
});

test("an item of a search carries a part of a large document, getAsset all of it", async () => {
  const server = await serve();
  interface Asset {
    readonly id: string;
    readonly content: { truncated?: boolean; metadata: { attributes: readonly object[] } };
  }
  for (const options of [{}, { showUnverifiedCollections: true }]) {
    const { result } = await ask(server, "searchAssets", { ...large, options });
    const { items } = result as { items: readonly Asset[] };
    expect(items).toHaveLength(sizes.large);
    for (const item of items) {
      expect(item.content.truncated).toBe(true);
      expect(JSON.stringify(item.content).length).toBeLessThan(65_536 + 500);
    }
    const whole = (await ask(server, "getAsset", { id: items[0]!.id, options })).result as Asset;
    expect(whole.content.truncated).toBeUndefined();
    expect(JSON.stringify(whole.content).length).toBeGreaterThan(sizes.largeBytes * 0.9);
    const shown = items[0]!.content.metadata.attributes;
    expect(whole.content.metadata.attributes.slice(0, shown.length)).toEqual(shown);
  }
});

test("a document of 2 MB that all assets of a page share is read once, and shown in each", async () => {
  const settings = createMethodSettings({ apiVersion: "test" });
  const params = { ownerAddress: textOf("sharing"), limit: 100 };
  for (const options of [{}, { showUnverifiedCollections: true }]) {
    const request = new CallRequest({ viewSource: life.viewSource, settings });
    // A hundred times as many bytes would be refused.
    const text = await callMethod("searchAssets", { ...params, options }, request);
    request.close();
    const { items } = JSON.parse(text) as {
      items: readonly { content: { truncated?: boolean; metadata: { attributes: readonly object[] } } }[];
    };
    expect(items).toHaveLength(sizes.sharing);
    const { attributes } = items[0]!.content.metadata;
    expect(JSON.stringify(attributes).length).toBeGreaterThan(60_000);
    for (const { content } of items) {
      expect(content.truncated).toBe(true);
      expect(content.metadata.attributes).toHaveLength(attributes.length);
    }
  }
});

test("a delegate of thousands is answered whole, in the order of addresses", async () => {
  const { result } = await ask(await serve(), "getTokenAccountsByDelegate", delegated);
  const { value } = result as { value: readonly { pubkey: string }[] };
  const expected = Array.from({ length: sizes.delegated }, (_, index) => keyOf("token", index))
    .toSorted((a, b) => Buffer.compare(a, b))
    .map(encodeAddress);
  expect(value.map(({ pubkey }) => pubkey)).toEqual(expected);
});

test("an owner of more mints than are read at once is found with all of them", async () => {
  const { result } = await ask(await serve(), "searchAssets", { ownerAddress: textOf("holder"), limit: 1 });
  expect(result).toMatchObject({ total: sizes.heldMints });
});

/** More than one turn of the event loop can hold, on any machine. */
const heavyBatch = (limit: number) =>
  Array.from({ length: 100 }, (_, id) =>
    call("searchAssets", { ownerAddress: textOf("owner"), limit, options: { showFungible: true } }, id),
  );

describe("while a heavy batch is answered", () => {
  test("a probe and a call of another caller are answered first", async () => {
    const server = await serve();
    const order: string[] = [];
    const batch = post<readonly Answer[]>(server, heavyBatch(100)).then((answers) => {
      order.push("batch");
      return answers;
    });
    // The batch has arrived once another connection is answered.
    await openAndAsk(server, `GET /livez HTTP/1.1\r\nHost: x\r\n\r\n`).then(() => order.push("probe"));
    await ask(server, "getAsset", { id: textOf("asset", 1) }).then(() => order.push("call"));
    const answers = await batch;
    expect(order).toEqual(["probe", "call", "batch"]);
    expect(answers).toHaveLength(100);
    expect(answers.every(({ error }) => error === undefined)).toBe(true);
  });

  test("the deadline of its calls fires", async () => {
    const server = await serve({ callTimeoutMs: 1 });
    const answers = await post<readonly Answer[]>(server, heavyBatch(1000));
    const late = answers.filter(({ error }) => error?.message.includes("no answer within 1 ms") === true);
    expect(late.length).toBeGreaterThan(0);
    expect(late[0]!.error!.code).toBe(-32066);
  });
});

const openAndAsk = (server: RunningServer, request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(request));
    socket.once("data", (data) => {
      socket.destroy();
      resolve(data.toString());
    });
    socket.once("error", reject);
  });
