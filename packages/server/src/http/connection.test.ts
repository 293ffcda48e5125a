// Requests that arrive whole, in parts, or before the answer to an earlier one, and connections that bring none.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exchangeRaw, post, startTestServer, testKey, testDocument } from "../../test/protocol-server.ts";
import type { Limits } from "../limits.ts";
import type { RunningServer } from "../start-server.ts";

const bodyOf = (id: number, method = "nope"): string => JSON.stringify({ jsonrpc: "2.0", id, method });

const requestOf = (body: string, more = "", key = testKey): string =>
  `POST /v3/${key} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const withoutDate = (text: string): string => text.replaceAll(/Date: [^\r]+\r\n/gu, "");

const isWholeAnswer = (received: string): boolean =>
  /HTTP\/1\.1 (?:204[^]*\r\n\r\n$|[^]*[}\]]$)/u.test(received);

/** Sends each text once the answer to the one before is complete. */
const converse = async (server: RunningServer, texts: readonly string[]): Promise<string> => {
  const socket = connect(server.port, "127.0.0.1");
  socket.setNoDelay().setEncoding("utf8");
  let received = "";
  const failed = once(socket, "close");
  socket.on("data", (text: string) => (received += text));
  for (const text of texts) {
    const before = received.length;
    socket.write(text);
    while (!isWholeAnswer(received.slice(before)) && !socket.closed)
      await Promise.race([once(socket, "data"), failed]);
  }
  socket.destroy();
  return received;
};

describe("an answer", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startTestServer({ limits: { batchCalls: 5, bodyBytes: 4096 } });
  });
  afterAll(() => server.stop());

  test.each<[string, string]>([
    ["a call", requestOf(bodyOf(1))],
    ["rpc.discover", requestOf(bodyOf(1, "rpc.discover"))],
    ["a batch", requestOf(`[${bodyOf(1)},${bodyOf(2)}]`)],
    ["a notification", requestOf('{"jsonrpc":"2.0","method":"nope"}')],
    ["no JSON", requestOf("{")],
    ["text beyond ASCII", requestOf(`{"jsonrpc":"2.0","id":"\u00e9\u{1f600}","method":"nope"}`)],
    ["an empty body", requestOf("")],
    ["a wrong key", requestOf(bodyOf(1), "", "other")],
    ["a body that is too large", requestOf(`"${"x".repeat(5000)}"`)],
    ["an unknown coding", requestOf(bodyOf(1), "Content-Encoding: br\r\n")],
    ["bytes that are no gzip", requestOf(bodyOf(1), "Content-Encoding: gzip\r\n")],
    ["another charset", requestOf(bodyOf(1)).replace("json\r\n", "json; charset=latin1\r\n")],
  ])("to %s is the same for a request in one part and in two", async (_what, text) => {
    const whole = await exchangeRaw(server, [text], isWholeAnswer);
    const first = connect(server.port, "127.0.0.1").setNoDelay().setEncoding("utf8");
    await once(first, "connect");
    let parted = "";
    first.on("data", (part: string) => (parted += part));
    first.write(text.slice(0, 20));
    await new Promise((resolve) => setTimeout(resolve, 20));
    first.write(text.slice(20));
    while (!isWholeAnswer(parted)) await once(first, "data");
    first.destroy();
    expect(withoutDate(whole)).toBe(withoutDate(parted));
  });

  test("follows the one before on a connection that changes its form", async () => {
    const get = "GET /openrpc.json HTTP/1.1\r\nHost: x\r\n\r\n";
    const texts = [requestOf(bodyOf(1)), requestOf(bodyOf(2)), get, requestOf(bodyOf(3)), get];
    const received = await converse(server, texts);
    expect([...received.matchAll(/"id":(\d)\}|"openrpc"/gu)].map(([, id]) => id)).toEqual([
      "1",
      "2",
      undefined,
      "3",
      undefined,
    ]);
  });

  test("follows the one before where requests arrive before it", async () => {
    // The answers are of different cost, so that a later one could overtake.
    const texts = Array.from({ length: 40 }, (_, id) =>
      requestOf(bodyOf(id, id % 2 === 0 ? "rpc.discover" : "nope")),
    );
    const socket = connect(server.port, "127.0.0.1").setNoDelay().setEncoding("utf8");
    let received = "";
    socket.on("data", (text: string) => (received += text));
    for (const text of texts) {
      socket.write(text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    while (!received.includes('"id":39}')) await once(socket, "data");
    socket.destroy();
    expect([...received.matchAll(/"id":(\d+)\}/gu)].map(([, id]) => Number(id))).toEqual(
      texts.map((_, id) => id),
    );
  });

  test("says that the connection closes where its host is refused", async () => {
    const other = await startTestServer();
    try {
      const received = await exchangeRaw(other, [requestOf(bodyOf(1)).replace("Host: x", "Host: x.example")]);
      expect(received).toMatch(/^HTTP\/1\.1 4\d\d /u);
      expect(received).toContain("Connection: close\r\n");
    } finally {
      await other.stop();
    }
  });
});

const document = { ...testDocument, info: { title: "x".repeat(16 << 20), version: "0.0.0" } };
const large = requestOf(bodyOf(1, "rpc.discover"));

const open = async (server: RunningServer): Promise<Socket> => {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.pause();
  await once(socket, "connect");
  return socket;
};

const readAll = async (socket: Socket): Promise<string> => {
  let received = "";
  socket.setEncoding("latin1").on("data", (text: string) => (received += text));
  socket.resume();
  await once(socket, "close");
  return received;
};

/** Runs `use` while a large answer is in progress on a connection that takes nothing. */
const withLargeAnswer = async (
  limits: Partial<Limits>,
  use: (server: RunningServer, socket: Socket) => Promise<void>,
): Promise<void> => {
  const server = await startTestServer({ document, limits });
  try {
    const socket = await open(server);
    socket.write(large);
    await expect.poll(() => server.load().owedBytes).toBeGreaterThan(1 << 20);
    await use(server, socket);
  } finally {
    await server.stop();
  }
};

describe("what arrives before an answer is taken", () => {
  test("is answered behind it, and counts until then", () =>
    withLargeAnswer({}, async (server, socket) => {
      socket.write(requestOf(bodyOf(2), "Connection: close\r\n"));
      await expect.poll(() => server.load().waitingRequests).toBe(1);
      const received = await readAll(socket);
      expect(received.length).toBeGreaterThan(16 << 20);
      expect(received).toMatch(/"id":2\}$/u);
      await expect
        .poll(() => server.load())
        .toMatchObject({ waitingRequests: 0, bodiesBytes: 0, owedBytes: 0 });
    }));

  test("does not cut the answer where its caller ends its side", () =>
    withLargeAnswer({}, async (server, socket) => {
      socket.end(requestOf(bodyOf(2)));
      await expect.poll(() => server.load().waitingRequests).toBe(1);
      expect((await readAll(socket)).length).toBeGreaterThan(16 << 20);
    }));

  test("counts no longer once its connection is closed", () =>
    withLargeAnswer({}, async (server, socket) => {
      socket.write(requestOf(bodyOf(2)));
      await expect.poll(() => server.load().waitingRequests).toBe(1);
      socket.destroy();
      await expect
        .poll(() => server.load())
        .toMatchObject({ waitingRequests: 0, bodiesBytes: 0, owedBytes: 0, connections: 0 });
    }));

  test("is refused, behind the answer, where too much waits", () =>
    withLargeAnswer({ waitingRequests: 1 }, async (server, socket) => {
      socket.write(requestOf(bodyOf(2)).repeat(2));
      await expect.poll(() => server.counts().refusedRequests).toBe(1);
      const received = await readAll(socket);
      expect(received.split("HTTP/1.1 ").map((text) => text.slice(0, 3))).toEqual(["", "200", "200", "503"]);
      expect(received).toMatch(/Retry-After: 1\r\n[^]*"code":-32069.*"id":null\}$/u);
      expect((await post(server, bodyOf(1))).status).toBe(200);
    }));
});

test("tracing tools see every request", async () => {
  let seen = 0;
  const onRequest = (): void => void seen++;
  subscribe("http.server.request.start", onRequest);
  const server = await startTestServer();
  try {
    await converse(
      server,
      [1, 2, 3].map((id) => requestOf(bodyOf(id))),
    );
    expect(seen).toBe(3);
  } finally {
    unsubscribe("http.server.request.start", onRequest);
    await server.stop();
  }
});

test("a connection that brings nothing is refused in time, and an idle one is closed", async () => {
  const server = await startTestServer({ limits: { receiveTimeoutMs: 200, keepAliveMs: 200 } });
  try {
    const silent = await open(server);
    const idle = await open(server);
    idle.write(requestOf(bodyOf(1)));
    expect(await readAll(silent)).toMatch(/^HTTP\/1\.1 408 /u);
    expect(await readAll(idle)).toMatch(/"id":1\}$/u);
    await expect.poll(() => server.load().connections).toBe(0);
  } finally {
    await server.stop();
  }
});

test("stopping lets a connection bring its first request", async () => {
  const server = await startTestServer();
  const socket = await open(server);
  await expect.poll(() => server.load().connections).toBe(1);
  const stopped = server.stop();
  // Several looks for idle connections later.
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.write(requestOf(bodyOf(1)));
  const received = await readAll(socket);
  expect(received).toMatch(/"id":1\}$/u);
  expect(received).toContain("Connection: close\r\n");
  await stopped;
});

test("stopping closes idle connections, and lets calls in progress end", async () => {
  const server = await startTestServer({ document });
  const idle = await open(server);
  idle.write(requestOf(bodyOf(1)));
  const slow = await open(server);
  slow.write(large);
  await expect.poll(() => server.load().owedBytes).toBeGreaterThan(1 << 20);
  const stopped = server.stop();
  expect(await readAll(idle)).toMatch(/"id":1\}$/u);
  expect((await readAll(slow)).length).toBeGreaterThan(16 << 20);
  await stopped;
});
