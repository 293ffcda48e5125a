import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import {
  exchangeRaw,
  expectRefusal,
  post,
  startTestServer,
  testKey,
  testDocument,
} from "../../test/protocol-server.ts";
import { type RunningServer, startServer } from "../start-server.ts";

const discoverMethod = '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}';
const unknownText = '{"jsonrpc":"2.0","id":1,"method":"nope"}';
const BODY_BYTES_MAX = 4096;

let server: RunningServer;
const logged: string[] = [];
const collect = (fields: object, message: string): void => {
  logged.push(JSON.stringify(fields) + message);
};

beforeAll(async () => {
  server = await startTestServer({
    limits: { bodyBytes: BODY_BYTES_MAX },
    log: { info: collect, warn: collect, error: collect },
  });
});

afterAll(() => server.stop());

describe("paths and keys", () => {
  test("the query string means nothing", async () => {
    const answer = await post(server, unknownText, {}, `/v3/${testKey}?api-key=something&x=/y`);
    expect([answer.status, answer.text]).toEqual([200, (await post(server, unknownText)).text]);
  });

  test.each([
    "/v3/wrong",
    `/v3/${testKey}x`,
    `/v3/${testKey.slice(1)}`,
    "/v3/",
    "/v3",
    "/v3/%74est-key",
    "/v3/?key",
  ])("%s is 401", async (path) => {
    expectRefusal(await post(server, unknownText, {}, path), 401, -32060);
  });

  test.each([
    "/",
    "/v2/test-key",
    `/v3/${testKey}/`,
    `/v3/${testKey}/x`,
    `/V3/${testKey}`,
    `/${testKey}`,
    "/v33",
  ])("a call to %s is 404", async (path) => {
    expectRefusal(await post(server, unknownText, {}, path), 404, -32600);
  });

  test("a call to the DAS methods, which this server was not told to serve, is 404 and says so", async () => {
    const { text } = await post(server, unknownText, {}, `/das/${testKey}`);
    const hint = "the DAS methods are answered by a server that was started with --methods das";
    expect(JSON.parse(text)).toMatchObject({ error: { message: `No such path; ${hint}`, data: { hint } } });
  });

  test.each(["GET", "PUT", "DELETE", "PATCH"])(
    "%s of the call path is 405 and says what is allowed",
    async (method) => {
      const response = await fetch(`${server.url}/v3/${testKey}`, { method });
      expectRefusal({ ...headOf(response), text: await response.text() }, 405, -32600);
      expect(response.headers.get("allow")).toBe("POST, OPTIONS");
    },
  );

  test("a wrong key is reported before the body has come", async () => {
    const head = `POST /v3/wrong HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
    const received = await exchangeRaw(server, [head], (text) => text.includes('"id":null}'));
    expect(received).toContain("HTTP/1.1 401 API key missing or unknown\r\n");
  });

  test("a wrong key gets no 100 Continue, a right one does", async () => {
    const head = (key: string) =>
      `POST /v3/${key} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${unknownText.length}\r\n\r\n`;
    const refused = await exchangeRaw(server, [head("wrong")], (text) => text.includes('"id":null}'));
    expect(refused.startsWith("HTTP/1.1 401")).toBe(true);
    const continued = await exchangeRaw(server, [head(testKey), unknownText], (text) =>
      text.includes('"id":1}'),
    );
    expect(continued.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK")).toBe(true);
  });

  test("several keys are distinguished, and the public one counts", async () => {
    const other = await startTestServer({ keys: ["one", "two"], publicKey: "three" });
    try {
      for (const key of ["one", "two", "three"])
        expect((await post(other, unknownText, {}, `/v3/${key}`)).status).toBe(200);
      expect((await post(other, unknownText, {}, `/v3/${testKey}`)).status).toBe(401);
    } finally {
      await other.stop();
    }
  });

  test("a key never reaches the log, not even with an internal error", async () => {
    const address = "So11111111111111111111111111111111111111112";
    const before = logged.length;
    await post(server, `{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["${address}"]}`);
    await post(server, unknownText, {}, "/v3/a-wrong-key");
    await exchangeRaw(server, [`BROKEN /v3/${testKey}\r\n\r\n`]);
    expect(logged.length).toBe(before + 1);
    expect(logged.join()).not.toContain(testKey);
    expect(logged.join()).not.toContain("a-wrong-key");
  });
});

describe("content type and encoding", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'Application/JSON; charset="utf-8"',
    "application/json; charset=utf8",
    "application/json; profile=x",
  ])("%s is taken", async (type) => {
    expect((await post(server, unknownText, { "content-type": type })).status).toBe(200);
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonx",
    "application/json; charset=iso-8859-1",
    "application/vnd.api+json",
  ])("%s is 415", async (type) => {
    expectRefusal(await post(server, unknownText, { "content-type": type }), 415, -32600);
  });

  test("no content type is 415", async () => {
    const head = `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;
    expect(await exchangeRaw(server, [head], (text) => text.includes('"id":null}'))).toContain(
      "HTTP/1.1 415 ",
    );
  });

  test("gzip is read", async () => {
    const answer = await post(server, gzipSync(unknownText), { "content-encoding": "gzip" });
    expect(answer.text).toBe((await post(server, unknownText)).text);
  });

  test("gzip that is none is a parse error", async () => {
    const answer = await post(server, unknownText, { "content-encoding": "gzip" });
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: -32700 }, id: null });
  });

  test("other encodings are 415", async () => {
    expectRefusal(await post(server, unknownText, { "content-encoding": "br" }), 415, -32600);
  });
});

const padded = (bytes: number): string => unknownText + " ".repeat(bytes - unknownText.length);

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

describe("the body cap", () => {
  test("holds to the byte, reported by Content-Length", async () => {
    expect((await post(server, padded(BODY_BYTES_MAX))).status).toBe(200);
    expectRefusal(await post(server, padded(BODY_BYTES_MAX + 1)), 413, -32064);
  });

  test("holds without a Content-Length", async () => {
    const head = `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const body = chunk(padded(BODY_BYTES_MAX)) + chunk(" ");
    expect(await exchangeRaw(server, [head + body], (text) => text.includes('"id":null}'))).toContain(
      "HTTP/1.1 413 ",
    );
  });

  test("holds after decompression", async () => {
    const within = await post(server, gzipSync(padded(BODY_BYTES_MAX)), { "content-encoding": "gzip" });
    expect(within.status).toBe(200);
    const bomb = gzipSync(padded(1_500_000));
    expect(bomb.length).toBeLessThan(BODY_BYTES_MAX);
    expectRefusal(await post(server, bomb, { "content-encoding": "gzip" }), 413, -32064);
  });

  test("is answered to a caller that is still sending, who may then go on using the connection", async () => {
    const length = 8 << 20;
    const socket = connect(server.port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    socket.write(
      `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    const piece = " ".repeat(1 << 16);
    for (let sent = 0; sent < length; sent += piece.length) {
      if (!socket.write(piece)) await once(socket, "drain");
    }
    socket.write(
      `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${unknownText.length}\r\n\r\n${unknownText}`,
    );
    await once(socket, "close");
    expect(received).toMatch(/^HTTP\/1\.1 413 [^]*HTTP\/1\.1 200 OK/u);
  });

  test("a bigger cap takes a bigger body", async () => {
    const other = await startTestServer({ limits: { bodyBytes: 1 << 22 } });
    try {
      expect((await post(other, padded(1 << 22))).status).toBe(200);
    } finally {
      await other.stop();
    }
  });
});

describe("slow and broken callers", () => {
  test("a body that does not come is 408", async () => {
    const hasty = await startTestServer({ limits: { receiveTimeoutMs: 100 } });
    try {
      const head = `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
      const received = await exchangeRaw(hasty, [head]);
      expect(received).toContain("HTTP/1.1 408 Request body did not arrive within 100 ms\r\n");
      expect(received).toContain("Connection: close");
      expect(JSON.parse(received.slice(received.indexOf("\r\n\r\n")))).toMatchObject({ id: null });
    } finally {
      await hasty.stop();
    }
  });

  test("the rest of a refused body is waited for no longer than a body", async () => {
    // Node's own deadline for a whole request is a minute later.
    const hasty = await startTestServer({ limits: { receiveTimeoutMs: 100 } });
    try {
      const head =
        "POST /v3/wrong HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
      // Resolves when the server hangs up.
      expect(await exchangeRaw(hasty, [head])).toContain("HTTP/1.1 401 ");
    } finally {
      await hasty.stop();
    }
  });

  test("headers that do not come are 408 too", async () => {
    const hasty = await startTestServer({ limits: { receiveTimeoutMs: 100 } });
    try {
      const received = await exchangeRaw(hasty, [`POST /v3/${testKey} HTTP/1.1\r\nHost`]);
      expect(received).toMatch(/^HTTP\/1\.1 408 [^]*"id":null\}$/u);
    } finally {
      await hasty.stop();
    }
  });

  test("what is not HTTP is 400, headers too large are 431, both in JSON", async () => {
    expect(await exchangeRaw(server, ["hello\r\n\r\n"])).toMatch(/^HTTP\/1\.1 400 [^]*"id":null\}$/u);
    const large = `POST /v3/${testKey} HTTP/1.1\r\nX: ${"x".repeat(100_000)}\r\n\r\n`;
    expect(await exchangeRaw(server, [large])).toMatch(/^HTTP\/1\.1 431 [^]*"id":null\}$/u);
  });

  test("a caller that hangs up in the middle leaves the server well", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await once(socket, "connect");
    socket.destroy();
    await once(socket, "close");
    expect((await post(server, unknownText)).status).toBe(200);
  });
});

test("an idle connection is kept longer than Solana's clients reuse one, and says so", async () => {
  const { headers } = await post(server, discoverMethod);
  const seconds = Number(/timeout=(\d+)/u.exec(headers.get("keep-alive") ?? "")?.[1]);
  expect(seconds).toBeGreaterThan(20);
});

test("a reply leaves in one piece", async () => {
  const call = request(`${server.url}/v3/${testKey}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
  });
  const pieces: number[] = [];
  call.on("socket", (socket) => socket.on("data", (piece) => pieces.push(piece.length)));
  call.end(unknownText);
  const [response] = (await once(call, "response")) as [NodeJS.ReadableStream];
  response.resume();
  await once(response, "end");
  expect(pieces).toHaveLength(1);
});

test("a port in use is reported in one sentence", async () => {
  const start = startServer({
    viewSource: { openView: () => Promise.reject(new Error("x")) },
    document: testDocument,
    keys: ["a"],
    port: server.port,
  });
  await expect(start).rejects.toThrow(`127.0.0.1:${server.port} is in use; choose another with --port`);
});

const headOf = ({ status, statusText, headers }: Response) => ({ status, statusText, headers });
