// Request targets in addition to the plain path (RFC 9112 §3.2), and the framing of requests that carry them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exchangeRaw, post, startTestServer, testKey } from "../../test/protocol-server.ts";
import type { RunningServer } from "../start-server.ts";

const unknown = '{"jsonrpc":"2.0","id":1,"method":"nope"}';
const discoverMethod = '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}';

let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.stop());

const head = (target: string, headers = "Host: x\r\n", length = unknown.length): string =>
  `POST ${target} HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

const isAnswered = (text: string): boolean => /"id":(?:1|null)\}/u.test(text);

/** Status and body of a call to a target. */
const callTo = async (target: string, headers?: string, body = unknown) => {
  const received = await exchangeRaw(server, [head(target, headers, body.length) + body], isAnswered);
  return { status: Number(received.slice(9, 12)), body: received.slice(received.indexOf("\r\n\r\n") + 4) };
};

/** All of the reply to a request without a body. */
const ask = (method: string, target: string) =>
  exchangeRaw(server, [`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`]);

describe("an absolute request target", () => {
  test.each([
    `http://rpc.example.org/v3/${testKey}`,
    `http://rpc.example.org:5267/v3/${testKey}?api-key=x&y=/z`,
    `HTTP://RPC.example.org/v3/${testKey}`,
    `https://rpc.example.org/v3/${testKey}`,
    `http://127.0.0.1:1/v3/${testKey}`,
    `http://[::1]:5267/v3/${testKey}`,
    `http://lamp_light:/v3/${testKey}`,
  ])("%s is answered as its path is", async (target) => {
    expect(await callTo(target)).toEqual({ status: 200, body: (await post(server, unknown)).text });
  });

  test.each([
    ["http://x/v3/wrong", 401],
    ["http://x/v3", 401],
    [`http://x/v2/${testKey}`, 404],
    ["http://x/livez", 405],
    ["http://x", 404],
    ["http://x?y", 404],
    [`http://x//v3/${testKey}`, 404],
    [`http://x/http://x/v3/${testKey}`, 404],
  ])("%s is refused as its path is: %s", async (target, status) => {
    expect(await callTo(target)).toMatchObject({ status });
  });

  test.each([
    `http://user@host/v3/${testKey}`,
    `http://user:secret@host/v3/${testKey}`,
    `http:///v3/${testKey}`,
    `http://:5267/v3/${testKey}`,
    `http://a:b/v3/${testKey}`,
    `http://[x]/v3/${testKey}`,
    `ftp://host/v3/${testKey}`,
    `ws://host/v3/${testKey}`,
    `http:/v3/${testKey}`,
  ])("%s is 400", async (target) => {
    const { status, body } = await callTo(target);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32600 }, id: null });
  });

  test("is where the answer of rpc.discover points, regardless of what Host says", async () => {
    const { body } = await callTo(
      `https://rpc.example.org:81/v3/${testKey}`,
      "Host: evil\r\n",
      discoverMethod,
    );
    expect(JSON.parse(body)).toMatchObject({
      result: { servers: [{ url: `https://rpc.example.org:81/v3/${testKey}` }] },
    });
  });

  test("reaches pages and preflights too", async () => {
    expect(await ask("GET", "http://x/livez")).toContain("HTTP/1.1 200 ");
    for (const target of ["http://x", `http://x/v3/${testKey}`, "*"])
      expect(await ask("OPTIONS", target), target).toContain("HTTP/1.1 204 ");
  });
});

describe("framing that two readers could take differently", () => {
  const chunked = "Transfer-Encoding: chunked\r\n";
  test.each([
    ["Host given twice", "Host: x\r\nHost: y\r\n"],
    ["Host given twice, alike", "Host: x\r\nhOST: x\r\n"],
    ["no Host", ""],
    ["length and chunks", `Host: x\r\n${chunked}`],
    ["two lengths", "Host: x\r\nContent-Length: 1\r\n"],
    ["a space before the colon", "Host: x\r\nX : y\r\n"],
    ["a bare line feed", "Host: x\nX: y\r\n"],
  ])("%s is 400, by path and by URL, and ends the connection", async (_what, headers) => {
    for (const target of [`/v3/${testKey}`, `http://x/v3/${testKey}`]) {
      // The second request must not be answered: no one knows where the first one ends.
      const received = await exchangeRaw(server, [
        head(target, headers) + unknown,
        head(`/v3/${testKey}`) + unknown,
      ]);
      expect(received, target).toMatch(/^HTTP\/1\.1 400 /u);
      expect(received.match(/HTTP\/1\.1 /gu), target).toHaveLength(1);
    }
  });

  test.each([
    ["gzip and chunks", "1.1", "Transfer-Encoding: gzip, chunked\r\n"],
    ["gzip and chunks in two lines", "1.1", `Transfer-Encoding: gzip\r\n${chunked}`],
    ["chunks in HTTP/1.0", "1.0", `Connection: keep-alive\r\n${chunked}`],
  ])("%s: 501, which ends the connection", async (_what, version, headers) => {
    const start = `POST /v3/${testKey} HTTP/${version}\r\nHost: x\r\nContent-Type: application/json\r\n`;
    const chunks = `${unknown.length.toString(16)}\r\n${unknown}\r\n0\r\n\r\n`;
    const received = await exchangeRaw(server, [
      `${start}${headers}\r\n${chunks}`,
      head(`/v3/${testKey}`) + unknown,
    ]);
    expect(received).toMatch(/^HTTP\/1\.1 501 Transfer-Encoding /u);
    expect(received.match(/HTTP\/1\.1 /gu)).toHaveLength(1);
  });
});

const callWithHeaders = (count: number) =>
  // Three others are in every one of these calls.
  callTo(`/v3/${testKey}`, `Host: x\r\n${"A: b\r\n".repeat(count - 3)}`);

test("a request has as many headers as are kept, or is 431", async () => {
  expect((await callWithHeaders(100)).status).toBe(200);
  expect(await callWithHeaders(101)).toMatchObject({ status: 431, body: expect.stringContaining("-32600") });
  // Node keeps the first ones. What follows them decides how the request is read.
  const more = `Host: x\r\n${"A: b\r\n".repeat(1100)}Transfer-Encoding: gzip, chunked\r\n`;
  const dropped = head(`/v3/${testKey}`, more).replace(/Content-Length: \d+\r\n/u, "");
  const body = `${unknown.length.toString(16)}\r\n${unknown}\r\n0\r\n\r\n`;
  expect(await exchangeRaw(server, [dropped + body], isAnswered)).toMatch(/^HTTP\/1\.1 431 /u);
});
