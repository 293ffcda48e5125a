// chain.client retries as a client over HTTP does.

import { createClient } from "@lamplight/client";
import { afterEach, describe, expect, test } from "vitest";
import { createTestChain, HttpError, type TestChain } from "./index.ts";

const retry = { delayMs: 1 };

let chain: TestChain;
afterEach(() => chain.close());

describe.each(["client", "fetch"] as const)("by %s", (access) => {
  const clientOf = (options: { readonly retry?: { readonly delayMs: number } | false } = {}) =>
    access === "client"
      ? chain.client
      : createClient({ url: "http://chain", fetch: chain.fetch, ...options });

  test("a refusal that passes is survived", async () => {
    chain = await createTestChain({ retry });
    const client = clientOf({ retry });
    chain.fail({ status: 503, times: 2 });
    expect((await client.searchAssets({})).total).toBe(0);
    chain.fail({ status: 429, retryAfter: 0 });
    const [answer] = await client.batch([{ method: "searchAssets", params: {} }]);
    expect(answer.ok).toBe(true);
  });

  test("the fourth refusal ends the call, and the next call is answered", async () => {
    chain = await createTestChain({ retry });
    const client = clientOf({ retry });
    chain.fail({ status: 503, times: 4 });
    await expect(client.searchAssets({})).rejects.toMatchObject({ name: "HttpError", status: 503 });
    expect((await client.searchAssets({})).total).toBe(0);
  });

  test("another status, a JSON-RPC error and a long Retry-After end the call at once", async () => {
    chain = await createTestChain({ retry });
    const client = clientOf({ retry });
    for (const fault of [{ status: 500 }, { code: -32005 }, { status: 429, retryAfter: 60 }]) {
      chain.fail(fault);
      await expect(client.searchAssets({})).rejects.toMatchObject(
        fault.status === undefined ? { code: fault.code } : { status: fault.status },
      );
      expect((await client.searchAssets({})).total).toBe(0);
    }
  });

  test("false turns retries off", async () => {
    chain = await createTestChain({ retry: false });
    const client = clientOf({ retry: false });
    chain.fail({ status: 503 });
    await expect(client.searchAssets({})).rejects.toBeInstanceOf(HttpError);
    expect((await client.searchAssets({})).total).toBe(0);
  });

  test("the time limit and the signal of a call end its retries and delays", async () => {
    chain = await createTestChain({ retry: { delayMs: 60_000, delayMsMax: 60_000 } });
    const client = clientOf({ retry: { delayMs: 60_000 } });
    chain.fail({ status: 503 });
    await expect(client.with({ timeoutMs: 20 }).searchAssets({})).rejects.toThrow("no answer within 20 ms");
    chain.delay(60_000);
    const controller = new AbortController();
    const call = client.with({ signal: controller.signal }).searchAssets({});
    controller.abort(new Error("left the page"));
    await expect(call).rejects.toThrow("left the page");
  });
});
