import { describe, expect, test } from "vitest";
import {
  type Received,
  resultFor,
  type Scripted,
  supplyText,
  useScriptServer,
} from "../test/script-server.ts";
import { createClient } from "./create-client.ts";
import { perTick } from "./call/tick-batcher.ts";
import { NetworkError } from "./errors/network-error.ts";
import type { ResponseEvent } from "./http/hooks.ts";

const { start, received } = useScriptServer();

interface Request {
  readonly id: number;
  readonly params: unknown;
}

const trees = ["4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi", "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"];

/** Answers a single call, and batches of up to `limit`. */
const answerUpTo =
  (limit: number) =>
  (request: Received): Scripted => {
    const calls = JSON.parse(request.body) as Request | Request[];
    if (!Array.isArray(calls)) return { body: resultFor(request, supplyText), headers: { "x-slot": "7" } };
    if (calls.length > limit) {
      const error = {
        code: -32065,
        message: "too large",
        data: { limit, reason: "REQUEST__BATCH_TOO_LARGE" },
      };
      return { body: JSON.stringify({ jsonrpc: "2.0", error, id: null }) };
    }
    const answers = calls.map(({ id, params }) => {
      const [mint] = params as [string];
      return mint === "bad"
        ? `{"jsonrpc":"2.0","error":{"code":-32602,"message":"bad"},"id":${id}}`
        : `{"jsonrpc":"2.0","result":${supplyText.replace('"amount":"1"', `"amount":"${mint}"`)},"id":${id}}`;
    });
    return {
      body: `[${answers.join(",")}]`,
      headers: { "x-slot": "7", "x-incomplete-trees": `${trees.join(", ")}, +3` },
    };
  };

describe("a batch over the limit of the server", () => {
  test("is sent in parts and joined, and the limit is remembered", async () => {
    const client = createClient({ url: await start(answerUpTo(4)) });
    const calls = Array.from({ length: 10 }, (_, index) => ({
      method: "getTokenSupply" as const,
      params: [String(index)] as [string],
    }));
    for (const requests of [1 + 3, 3]) {
      received().length = 0;
      const answers = await client.batch(calls);
      expect(answers.map((answer) => answer.ok && answer.result.value.amount)).toEqual(
        calls.map(({ params }) => params[0]),
      );
      expect(received()).toHaveLength(requests);
    }
  });
});

describe("perTick", () => {
  test("sends the calls of one tick as one batch, each with its own outcome", async () => {
    const client = createClient({ url: await start(answerUpTo(100)), batching: perTick });
    const outcomes = await Promise.allSettled(["1", "bad", "3"].map((mint) => client.getTokenSupply(mint)));
    expect(received()).toHaveLength(1);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[1]).toMatchObject({ reason: { name: "InvalidParamsError", method: "getTokenSupply" } });
    expect(await client.withMeta.getTokenSupply("1")).toMatchObject({ slot: 7 });
    expect(received()).toHaveLength(2);
  });

  test("keeps calls with a signal of their own apart", async () => {
    const client = createClient({ url: await start(answerUpTo(100)), batching: perTick });
    const controller = new AbortController();
    const gone = client.with({ signal: controller.signal }).getTokenSupply("1");
    const kept = client.getTokenSupply("2");
    controller.abort(new Error("left the page"));
    await expect(gone).rejects.toThrow("left the page");
    expect((await kept).value.amount).toBe("1");
  });

  test("fails all of a batch that is not answered", async () => {
    const client = createClient({
      url: await start(() => ({ status: 500, body: "broken" })),
      batching: perTick,
    });
    const outcomes = await Promise.allSettled([client.getTokenSupply("1"), client.getAsset("2")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

describe("withMeta", () => {
  test("gives slot and incomplete trees of the headers", async () => {
    const client = createClient({ url: await start(answerUpTo(100)), batching: perTick });
    const [first] = await Promise.all([client.withMeta.getTokenSupply("1"), client.getTokenSupply("2")]);
    expect(first).toMatchObject({
      slot: 7,
      incompleteTrees: trees,
      result: { value: { amount: "1" } },
    });
  });

  test("gives null where a proxy dropped the slot", async () => {
    const url = await start((request) => ({ body: resultFor(request, supplyText) }));
    expect(await createClient({ url }).withMeta.getTokenSupply("1")).toMatchObject({
      slot: null,
      incompleteTrees: [],
    });
  });
});

describe("a lost connection", () => {
  test("is tried again", async () => {
    const url = await start((request, count) =>
      count < 3 ? { isDropped: true } : { body: resultFor(request, supplyText) },
    );
    expect((await createClient({ url, retry: { delayMs: 1 } }).getTokenSupply("1")).value.amount).toBe("1");
    expect(received()).toHaveLength(3);
  });

  test("fails with a NetworkError in the end", async () => {
    const url = await start(() => ({ isDropped: true }));
    const call = createClient({ url, apiKey: "k", retry: { delayMs: 1, attemptsMax: 2 } }).getTokenSupply(
      "1",
    );
    await expect(call).rejects.toBeInstanceOf(NetworkError);
    await expect(call).rejects.toMatchObject({ isDropped: true, url: `${url}/v3/<key>` });
    expect(received()).toHaveLength(2);
  });
});

describe("hooks", () => {
  test("see every attempt, and may set headers", async () => {
    const url = await start((request, count) => {
      if (count === 1) return { status: 503, headers: { "retry-after": "0" } };
      return count === 2 ? { isDropped: true } : { body: resultFor(request, supplyText) };
    });
    const seen: unknown[] = [];
    const client = createClient({
      url,
      apiKey: "s3cret",
      retry: { delayMs: 1 },
      onRequest: ({ headers, url: shown, methods, attempt }) => {
        headers.set("x-trace", `t${attempt}`);
        seen.push([shown, ...methods]);
      },
      onResponse: ({ response, attempt, durationMs, error }: ResponseEvent) => {
        expect(durationMs).toBeGreaterThanOrEqual(0);
        expect(error === undefined).toBe(response !== null);
        seen.push([attempt, response?.status ?? null]);
      },
    });
    await client.getTokenSupply("1");
    const request = [`${url}/v3/<key>`, "getTokenSupply"];
    expect(seen).toEqual([request, [1, 503], request, [2, null], request, [3, 200]]);
    expect(received().map(({ headers }) => headers["x-trace"])).toEqual(["t1", "t2", "t3"]);
  });
});
