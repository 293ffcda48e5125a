import { describe, expect, test, vi } from "vitest";
import { type Received, resultFor, supplyText, useScriptServer } from "../test/script-server.ts";
import { createClient } from "./create-client.ts";
import { KeyUnknownError } from "./generated/error-classes.ts";
import { RpcError } from "./errors/rpc-error.ts";

const { start, received } = useScriptServer();

describe("a call", () => {
  test("is a POST to the key's path, with a numeric id, counted up", async () => {
    const url = await start((request) => ({ body: resultFor(request, supplyText) }));
    const client = createClient({ url: `${url}/`, apiKey: "a key", headers: { "x-trace": "7" } });
    await client.getTokenSupply("mint");
    await client.getTokenSupply({ pubKey: "mint" });
    const [first, second] = received();
    expect(first!.method).toBe("POST");
    expect(first!.path).toBe("/v3/a%20key");
    expect(first!.headers["content-type"]).toBe("application/json");
    expect(first!.headers["x-trace"]).toBe("7");
    expect(first!.headers["solana-client"]).toBeUndefined();
    expect(first!.body).toBe('{"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["mint"]}');
    expect(second!.body).toBe(
      '{"jsonrpc":"2.0","id":2,"method":"getTokenSupply","params":{"pubKey":"mint"}}',
    );
  });

  test("has one content type, in whichever letter case the caller gives it too", async () => {
    const url = await start((request) => ({ body: resultFor(request, supplyText) }));
    for (const name of ["Content-Type", "content-type"])
      await createClient({ url, headers: { [name]: "application/json" } }).getTokenSupply("mint");
    expect(received().map(({ headers }) => headers["content-type"])).toEqual([
      "application/json",
      "application/json",
    ]);
  });

  test("goes to the url as it is when there is no key", async () => {
    const url = await start((request) => ({ body: resultFor(request, supplyText) }));
    await createClient({ url: `${url}/rpc?x=1` }).getTokenSupply("mint");
    expect(received()[0]!.path).toBe("/rpc?x=1");
  });

  test("writes bigint arguments as digits and gives u64 as bigint", async () => {
    const account =
      '{"data":["","base64"],"executable":false,"lamports":5,"owner":"o","rentEpoch":18446744073709551615,"space":0}';
    const url = await start((request) => ({
      body: resultFor(request, `{"context":{"apiVersion":"1.0.0","slot":5},"value":${account}}`),
    }));
    const info = await createClient({ url }).getAccountInfo("a", { minContextSlot: 9223372036854775807n });
    expect(received()[0]!.body).toContain('[{"minContextSlot":9223372036854775807}]'.slice(1, -1));
    expect(info?.value).toMatchObject({ lamports: 5n, rentEpoch: 18446744073709551615n, space: 0 });
    expect(info?.context.slot).toBe(5);
  });

  test("throws RpcError with code, message and data", async () => {
    const url = await start(() => ({
      body: '{"jsonrpc":"2.0","error":{"code":-32016,"message":"late","data":{"contextSlot":9}},"id":1}',
    }));
    const refused = createClient({ url }).getAccountInfo("a");
    await expect(refused).rejects.toBeInstanceOf(RpcError);
    await expect(refused).rejects.toMatchObject({ code: -32016, message: "late", data: { contextSlot: 9 } });
  });

  test("throws the error of the body, with the HTTP status", async () => {
    const url = await start(() => ({
      status: 401,
      body: '{"jsonrpc":"2.0","error":{"code":-32060,"message":"API key missing or unknown"},"id":null}',
    }));
    const refused = createClient({ url, apiKey: "x" }).getAsset("a");
    await expect(refused).rejects.toBeInstanceOf(KeyUnknownError);
    await expect(refused).rejects.toMatchObject({
      status: 401,
      message: "API key missing or unknown",
      code: -32060,
      hint: expect.stringContaining("apiKey") as string,
    });
    expect(received()).toHaveLength(1);
  });

  test.each([
    ["text", "<html>welcome</html>"],
    ["another id", '{"jsonrpc":"2.0","result":null,"id":77}'],
    ["neither result nor error", '{"jsonrpc":"2.0","id":1}'],
    ["nothing", ""],
    ["a list", "[]"],
    ["null", "null"],
  ])("throws HttpError when the answer is %s", async (_what, body) => {
    const url = await start(() => ({ body }));
    await expect(createClient({ url }).getAsset("a")).rejects.toMatchObject({
      name: "HttpError",
      status: 200,
    });
  });

  test("uses the fetch it is given", async () => {
    const url = await start(() => ({}));
    const client = createClient({
      url,
      fetch: (_input, init) =>
        Promise.resolve(new Response(resultFor({ body: String(init!.body) } as Received, supplyText))),
    });
    expect((await client.getTokenSupply("mint")).value.amount).toBe("1");
    expect(received()).toHaveLength(0);
  });
});

describe("retries", () => {
  test("send again after 429 and 503, obeying Retry-After", async () => {
    const url = await start((request, count) => {
      if (count === 1) return { status: 429, headers: { "retry-after": "0" } };
      if (count === 2) return { status: 503 };
      return { body: resultFor(request, supplyText) };
    });
    const client = createClient({ url, retry: { delayMs: 1 } });
    expect((await client.getTokenSupply("mint")).value.amount).toBe("1");
    expect(received().map(({ body }) => body)).toEqual(Array(3).fill(received()[0]!.body));
  });

  test("are bounded", async () => {
    const url = await start(() => ({ status: 503, headers: { "retry-after": "0" } }));
    const refused = createClient({ url, retry: { attemptsMax: 3 } }).getTokenSupply("mint");
    await expect(refused).rejects.toMatchObject({ status: 503, retryAfter: "0" });
    expect(received()).toHaveLength(3);
  });

  test("can be switched off", async () => {
    const url = await start(() => ({ status: 429, headers: { "retry-after": "0" } }));
    await expect(createClient({ url, retry: false }).getTokenSupply("mint")).rejects.toMatchObject({
      status: 429,
    });
    expect(received()).toHaveLength(1);
  });

  test("end with the time limit", async () => {
    const url = await start(() => ({ status: 503, headers: { "retry-after": "9" } }));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const call = createClient({ url, timeoutMs: 8000 }).getTokenSupply("mint");
      const ended = expect(call).rejects.toMatchObject({ name: "TimeoutError" });
      // The time limit, and the wait of nine seconds after the first answer.
      while (vi.getTimerCount() < 2) await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(8000);
      await ended;
    } finally {
      vi.useRealTimers();
    }
    expect(received()).toHaveLength(1);
  });
});

describe("limits", () => {
  test("end a call that is not answered", async () => {
    const url = await start(() => ({ isSilent: true }));
    await expect(createClient({ url, timeoutMs: 50 }).getTokenSupply("mint")).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });

  test("end a call when the caller aborts, with the caller's reason", async () => {
    const url = await start(() => {
      controller.abort(new Error("not needed any more"));
      return { isSilent: true };
    });
    const controller = new AbortController();
    const call = createClient({ url }).with({ signal: controller.signal }).getTokenSupply("mint");
    await expect(call).rejects.toThrow("not needed any more");
  });

  test("of with() leave the client itself as it was", async () => {
    const url = await start((request) => ({ body: resultFor(request, supplyText) }));
    const client = createClient({ url });
    await expect(
      client.with({ signal: AbortSignal.abort(new Error("no")) }).getTokenSupply("m"),
    ).rejects.toThrow("no");
    expect((await client.getTokenSupply("m")).value.amount).toBe("1");
  });
});

describe("a batch", () => {
  test("goes out as one request and keeps the order, regardless of the server's", async () => {
    const url = await start(({ body }) => {
      const ids = (JSON.parse(body) as { id: number }[]).map(({ id }) => id);
      return {
        body: `[{"jsonrpc":"2.0","error":{"code":-32000,"message":"Asset Not Found"},"id":${ids[1]}},{"jsonrpc":"2.0","result":${supplyText},"id":${ids[0]}}]`,
      };
    });
    const [supply, asset] = await createClient({ url }).batch([
      { method: "getTokenSupply", params: ["mint"] },
      { method: "getAsset", params: { id: "a" } },
    ]);
    expect(received()).toHaveLength(1);
    expect(supply.ok && supply.result.value.amount).toBe("1");
    expect(!asset.ok && asset.error.message).toBe("Asset Not Found");
  });

  test("without calls asks no one", async () => {
    const url = await start(() => ({}));
    expect(await createClient({ url }).batch([])).toEqual([]);
    expect(received()).toHaveLength(0);
  });

  test("is refused as a whole when an answer is missing", async () => {
    const url = await start(() => ({ body: "[]" }));
    await expect(createClient({ url }).batch([{ method: "getLargestAccounts" }])).rejects.toMatchObject({
      name: "HttpError",
    });
  });
});
