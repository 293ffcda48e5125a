// These tests check that what a request is owed counts for its own key and address, not for those of an earlier one on its connection.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";

import { afterEach, describe, expect, test } from "vitest";

import { callText, testDocument } from "../../test/protocol-server.ts";
import { type RunningServer, startServer } from "../start-server.ts";

const OWED_BYTES = 8 << 20;
const CONNECTIONS = 24;
/** One address of one key holds at most nine sixteenths, and a few refusals on each connection. */
const SHARE_MAX = (9 / 16) * OWED_BYTES + 8 * CONNECTIONS * 1024;

/** `readyz` is answered only when this is called: it keeps all answers behind it from being sent. */
let release: () => void;
let server: RunningServer;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  release();
  await server.stop();
});

const start = async (documentBytes: number, trustProxy = false): Promise<void> => {
  const opened = Promise.withResolvers<never>();
  opened.promise.catch(() => undefined);
  release = () => opened.reject(new Error("this test reads no store"));
  server = await startServer({
    viewSource: { openView: () => opened.promise },
    document: { ...testDocument, info: { title: "x".repeat(documentBytes), version: "0.0.0" } },
    keys: ["one", "two"],
    port: 0,
    trustProxy,
    limits: { owedBytes: OWED_BYTES, takeTimeoutMs: 600_000, wrongKeys: 1000 },
  });
};

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

const call = (key: string, method: string, more = ""): string => {
  const body = callText(method, []);
  return `POST /v3/${key} HTTP/1.1\r\nHost: x\r\n${more}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

const open = async (localAddress = "127.0.0.1"): Promise<Socket> => {
  const socket = connect({ port: server.port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
};

const answerTo = async (request: string, localAddress?: string): Promise<string> => {
  const socket = await open(localAddress);
  socket.write(request);
  const [data] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return data.toString("latin1");
};

const statusOf = async (request: string, localAddress?: string): Promise<string> =>
  (await answerTo(request, localAddress)).slice(9, 12);

/** Connections that read nothing. Behind `readyz`, every answer is owed as soon as it is made. */
const sendUnread = async (requests: string, connections = CONNECTIONS): Promise<void> => {
  for (let count = 0; count < connections; count++) (await open()).pause().write(get("/readyz") + requests);
  // These are answered once all that was sent before has arrived and has had its turns.
  for (let count = 0; count < 10; count++) await statusOf(get("/livez"), "127.0.0.9");
  await expect.poll(() => server.load().waitingCalls).toBe(0);
};

const LARGE_BYTES = 1 << 20;

describe("a caller of one key that reads nothing holds no more than its share", () => {
  test.each([
    ["a page", get("/livez")],
    ["a call of another key", call("two", "nope")],
    ["a call with a wrong key", call("wrong", "nope")],
    ["a call of its own", call("one", "nope")],
  ])("where %s comes first", async (_what, first) => {
    await start(LARGE_BYTES);
    await sendUnread(first + call("one", "rpc.discover"));
    expect(server.load().owedBytes).toBeGreaterThan(2 * LARGE_BYTES);
    expect(server.load().owedBytes).toBeLessThan(SHARE_MAX);
    expect(await statusOf(call("one", "rpc.discover"))).toBe("503");
    expect(await statusOf(call("two", "rpc.discover"))).toBe("200");
    for (const socket of sockets) socket.destroy();
    // A server that does not read notices it when it writes.
    release();
    await expect.poll(() => [server.load().owedBytes, server.load().waitingRequests]).toEqual([0, 0]);
    expect(await statusOf(call("one", "rpc.discover"))).toBe("200");
  });

  test("where each answer is so small that a holder of nothing gets it beyond the bound, and refusals follow", async () => {
    await start(OWED_BYTES / 64 - 2000);
    await sendUnread(get("/livez") + call("one", "rpc.discover").repeat(8) + call("one", "nope").repeat(100));
    expect(server.load().owedBytes).toBeGreaterThan(2 * LARGE_BYTES);
    expect(server.load().owedBytes).toBeLessThan(SHARE_MAX);
  });

  test("where it sends wrong keys behind a call of its own", async () => {
    await start(LARGE_BYTES / 2);
    await sendUnread(get("/openrpc.json").repeat(4));
    await sendUnread(call("one", "nope") + call("wrong", "nope").repeat(500));
    expect(server.load().owedBytes).toBeLessThan(SHARE_MAX);
  });

  test("where refusals and answers to another key follow in turn", async () => {
    await start(LARGE_BYTES / 2);
    await sendUnread(call("one", "rpc.discover").repeat(4));
    const { owedBytes } = server.load();
    await sendUnread((call("one", "nope") + call("two", "nope")).repeat(200));
    expect(server.load().owedBytes).toBeGreaterThan(owedBytes);
    expect(server.load().owedBytes).toBeLessThan(owedBytes + CONNECTIONS * 8 * 1024);
  });

  test("where it asks for readiness with its key", async () => {
    // More than the buffers of the system take.
    await start(7 * LARGE_BYTES);
    await sendUnread(call("one", "rpc.discover"), 1);
    release();
    expect(await answerTo(get("/v3/one/readyz"))).toContain("-32069");
    expect(await answerTo(get("/v3/one/readyz"), "127.0.0.2")).toContain('"status":"unreadable"');
    expect(await answerTo(get("/v3/two/readyz"))).toContain('"status":"unreadable"');
    expect(await answerTo(get("/readyz"))).toContain('"status":"unreadable"');
  });

  test("where it has no key and asks for pages", async () => {
    await start(LARGE_BYTES / 2);
    await sendUnread(get("/openrpc.json").repeat(4));
    expect(server.load().owedBytes).toBeGreaterThan(2 * LARGE_BYTES);
    expect(server.load().owedBytes).toBeLessThan(SHARE_MAX);
    expect(await statusOf(get("/openrpc.json"))).toBe("503");
    expect(await statusOf(get("/livez"))).toBe("200");
    expect(await statusOf(get("/openrpc.json"), "127.0.0.2")).toBe("200");
    expect(await statusOf(call("one", "rpc.discover"))).toBe("200");
  });
});

test("answers that are not taken keep further requests of their connection waiting, however small they are", async () => {
  await start(0);
  await sendUnread(get("/livez").repeat(100));
  // Eight were started, `readyz` among them.
  expect(server.load().waitingRequests).toBe(CONNECTIONS * 93);
  expect(server.load().owedBytes).toBeLessThan(CONNECTIONS * 8 * 1024);
});

test("the heads of requests whose answers are not taken are forgotten", async () => {
  const requests: IncomingMessage[] = [];
  const onRequest = (message: unknown): void =>
    void requests.push((message as { request: IncomingMessage }).request);
  subscribe("http.server.request.start", onRequest);
  try {
    await start(0);
    const socket = await open();
    // Most of a head may be its target.
    const head = `?${"x".repeat(6000)} HTTP/1.1\r\nHost: x\r\nCookie: ${"y".repeat(6000)}\r\n`;
    socket.pause().write(get("/readyz") + call("one", "nope").replace(" HTTP/1.1\r\nHost: x\r\n", head));
    await expect.poll(() => requests.length).toBe(2);
    await expect.poll(() => server.load().owedBytes).toBeGreaterThan(0);
    // The trailers of this one arrive when it is answered.
    const chunked = call("wrong", "nope").replace(/Content-Length.*/su, "Transfer-Encoding: chunked\r\n\r\n");
    socket.write(chunked);
    await expect.poll(() => requests.length).toBe(3);
    await expect.poll(() => requests[2]!.headers).toEqual({});
    socket.write("0\r\nA: b\r\n\r\n");
    await expect.poll(() => requests[2]!.readableEnded).toBe(true);
    expect(requests[2]!.rawTrailers).toEqual([]);
    const [first, second] = requests.map(({ rawHeaders, headers, url }) => ({ rawHeaders, headers, url }));
    expect(first).toEqual({ rawHeaders: ["Host", "x"], headers: { host: "x" }, url: "/readyz" });
    expect(second).toEqual({ rawHeaders: [], headers: {}, url: "" });
  } finally {
    unsubscribe("http.server.request.start", onRequest);
  }
});

const from = (address: string): string => call("one", "rpc.discover", `X-Forwarded-For: ${address}\r\n`);

test("an answer through a proxy counts for the address that the proxy forwards", async () => {
  // So small that it is written at once.
  await start(LARGE_BYTES / 8, true);
  await sendUnread(from("10.0.0.1").repeat(8));
  expect(server.load().owedBytes).toBeGreaterThan(2 * LARGE_BYTES);
  expect(server.load().owedBytes).toBeLessThan(SHARE_MAX);
  expect(await statusOf(from("10.0.0.1"))).toBe("503");
  expect(await statusOf(from("10.0.0.2"))).toBe("200");
});
