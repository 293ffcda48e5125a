// Against a real server that goes wrong in every way.

import { createServer, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseEndpoint } from "./endpoint.ts";
import { ATTEMPTS_MAX, CONCURRENT_CALLS_MAX } from "./limits.ts";
import { RpcClient } from "./rpc-client.ts";
import { RpcTrouble } from "./rpc-fault.ts";

type Answer = (response: ServerResponse) => void;

const key = "key-nobody-hears-of";
let server: Server;
let answers: Answer[];
let asked: { readonly body: string; readonly authorization: string | undefined }[];
let open: number;
let openMost: number;
let stopping: AbortController;
let client: RpcClient;

beforeEach(async () => {
  [answers, asked, open, openMost] = [[], [], 0, 0];
  server = createServer(async (request, response) => {
    open += 1;
    openMost = Math.max(open, openMost);
    response.on("close", () => (open -= 1));
    asked.push({ body: await text(request), authorization: request.headers.authorization });
    (answers.shift() ?? good("1"))(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stopping = new AbortController();
  const { port } = server.address() as AddressInfo;
  const endpoint = parseEndpoint(`http://user:pass@127.0.0.1:${port}/${key}`, ["http:"]);
  client = new RpcClient(endpoint, stopping.signal, 1);
});
afterEach(async () => {
  stopping.abort();
  client.close();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const good =
  (result: string): Answer =>
  (response) =>
    response.writeHead(200).end(`{"jsonrpc":"2.0","id":1,"result":${result}}`);

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end(`/${key} says no`);

const refusal =
  (code: number): Answer =>
  (response) =>
    response.writeHead(200).end(`{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":"no ${key}"}}`);

const failure = async (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => expect.unreachable(),
    (error: Error) => error,
  );

const notOne = (result: unknown): unknown => {
  if (result === 1) throw new RpcTrouble("too old");
  return `is ${String(result)}`;
};

describe("RpcClient", () => {
  test("sends the call with what the URL says, and keeps every digit", async () => {
    answers = [good('{"lamports":18446744073709551615,"rentEpoch":9007199254740993,"space":3}')];
    expect(await client.call("getThing", ["x", { a: 1 }])).toEqual({
      lamports: "18446744073709551615",
      rentEpoch: "9007199254740993",
      space: 3,
    });
    expect(asked[0]!.body).toBe('{"jsonrpc":"2.0","id":1,"method":"getThing","params":["x",{"a":1}]}');
    expect(asked[0]!.authorization).toBe("Basic dXNlcjpwYXNz");
  });

  test.each<[string, Answer]>([
    ["429 with Retry-After", status(429, { "retry-after": "0" })],
    ["429 without", status(429)],
    ["502", status(502)],
    ["a reset connection", (response) => response.socket!.destroy()],
    ["an answer that is cut off", (response) => response.writeHead(200).end('{"jsonrpc":"2.0","res')],
    [
      "an answer that ends too early",
      (response) => response.writeHead(200, { "content-length": "99" }).write("{"),
    ],
    ["a node that is behind", refusal(-32016)],
    ["an answer without a result", (response) => response.writeHead(200).end('{"jsonrpc":"2.0","id":1}')],
  ])("tries again after %s", async (_, answer) => {
    const early: Answer = (response) => {
      answer(response);
      setTimeout(() => response.socket?.destroy(), 20);
    };
    answers = [early, early];
    expect(await client.call("getSlot", [])).toBe(1);
    expect(client.state).toMatchObject({ calls: 3, retries: 2, running: 0, waiting: 0 });
  });

  test("gives up after so many attempts, with the last reason and no secret", async () => {
    answers = Array.from({ length: ATTEMPTS_MAX }, () => status(503));
    const error = await failure(client.call("getSlot", []));
    expect(error).toBeInstanceOf(RpcTrouble);
    expect(error.message).toContain("HTTP 503");
    expect(error.message).not.toContain(key);
    expect(asked.length).toBe(ATTEMPTS_MAX);
  });

  test.each<[string, Answer, string]>([
    ["a wrong key", status(401), "RpcForbidden"],
    ["a wrong path", status(404), "RpcForbidden"],
    ["a method that is off", refusal(-32601), "RpcRefusal"],
    ["wrong parameters", refusal(-32602), "RpcRefusal"],
  ])("does not try again after %s", async (_, answer, name) => {
    answers = [answer];
    const error = await failure(client.call("getSlot", []));
    expect([error.name, asked.length]).toEqual([name, 1]);
    expect(error.message).not.toContain(key);
  });

  test("an answer that is too large is refused while it comes", async () => {
    answers = [good(`"${"x".repeat(100_000)}"`)];
    const error = await failure(client.call("getSlot", [], { bytesMax: 1000 }));
    expect(error.message).toBe("an answer is larger than 1000 bytes");
  });

  test("a result that fails its check is asked for again", async () => {
    answers = [good("1"), good("2")];
    expect(await client.call("getSlot", [], { check: notOne })).toBe("is 2");
  });

  test("no answer in time is trouble", async () => {
    answers = [() => {}];
    const error = await failure(client.call("getSlot", [], { timeoutMs: 20, attemptsMax: 1 }));
    expect(error.message).toBe("no whole answer within 20 ms");
  });

  test("keeps to so many calls at once", async () => {
    answers = Array.from({ length: 40 }, () => (response) => setTimeout(() => good("1")(response), 2));
    await Promise.all(Array.from({ length: 40 }, () => client.call("getSlot", [])));
    expect(openMost).toBeLessThanOrEqual(CONCURRENT_CALLS_MAX);
    expect(asked.length).toBe(40);
  });

  test("a stop ends calls under way and those that wait", async () => {
    answers = Array.from({ length: 20 }, () => () => {});
    const calls = Array.from({ length: 20 }, () => failure(client.call("getSlot", [])));
    await new Promise((resolve) => setTimeout(resolve, 10));
    stopping.abort();
    expect((await Promise.all(calls)).length).toBe(20);
    expect(client.state).toMatchObject({ running: 0, waiting: 0, retries: 0 });
  });
});
