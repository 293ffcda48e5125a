// These tests check what one caller may make the server hold, and what it is answered at each bound.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exchangeRaw, post, startTestServer, testDocument, testKey } from "../../test/protocol-server.ts";
import type { RunningServer } from "../start-server.ts";

const bodyOf = (id: number | string, method = "nope"): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method });

const callText = (body: string): string =>
  `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const getContract = "GET /openrpc.json HTTP/1.1\r\nHost: x\r\n\r\n";

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** A connection on which nothing is read. */
const openUnread = async (server: RunningServer): Promise<Socket> => {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.pause();
  await once(socket, "connect");
  return socket;
};

describe("requests sent without waiting for answers", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startTestServer({ limits: { waitingRequests: 2000 } });
  });
  afterAll(() => server.stop());

  test("are all answered in their order, calls and pages, in one segment or many", async () => {
    const ids = Array.from({ length: 900 }, (_, id) => id);
    const texts = ids.map((id) => callText(bodyOf(id)) + (id % 3 === 0 ? getContract : ""));
    const received = await exchangeRaw(server, [texts.join("")], (text) => text.includes('"id":899}'));
    const answered = [...received.matchAll(/"id":(\d+)\}/gu)].map((match) => Number(match[1]));
    expect(answered).toEqual(ids);
    expect(countOf(received, "HTTP/1.1 200 OK")).toBe(900 + 300);
  });

  test("end with 503 and the end of the connection where too many wait", async () => {
    const other = await startTestServer({ limits: { waitingRequests: 100 } });
    try {
      const received = await exchangeRaw(other, [getContract.repeat(150)]);
      // One address of one key may have 56 requests waiting, and one more was started.
      expect(countOf(received, "HTTP/1.1 200 OK")).toBe(57);
      expect(countOf(received, "HTTP/1.1 503 ")).toBe(1);
      expect(received).toContain("Retry-After: 1\r\n");
      expect(received).toMatch(/"code":-32069.*"id":null\}$/u);
      expect(other.counts().refusedRequests).toBe(1);
      expect((await post(other, bodyOf(1))).status).toBe(200);
    } finally {
      await other.stop();
    }
  });

  test("are counted over all connections, and no longer once those are closed", async () => {
    const document = { ...testDocument, info: { title: "x".repeat(16 << 20), version: "0.0.0" } };
    const limits = { waitingRequests: 100 };
    const other = await startTestServer({ document, limits });
    try {
      const unread = await Promise.all([openUnread(other), openUnread(other)]);
      for (const socket of unread) socket.write(getContract.repeat(80));
      await expect.poll(() => other.counts().refusedRequests).toBe(2);
      for (const socket of unread) socket.destroy();
      const received = async (): Promise<number> => {
        const isEnough = (got: string): boolean => countOf(got, '"id":1}') === 50 || got.includes(" 503 ");
        const text = await exchangeRaw(other, [callText(bodyOf(1)).repeat(50)], isEnough);
        return countOf(text, "HTTP/1.1 200 OK");
      };
      await expect.poll(received).toBe(50);
    } finally {
      await other.stop();
    }
  });
});

const areThree = (got: string): boolean => got.length > 3 * (16 << 20) && got.endsWith('"id":1}');

describe("answers that are not read", () => {
  const document = { ...testDocument, info: { title: "x".repeat(16 << 20), version: "0.0.0" } };
  const discover = callText(bodyOf(1, "rpc.discover"));

  test("make new calls busy while too many bytes wait, and not for longer", async () => {
    const server = await startTestServer({ document, limits: { owedBytes: 1 << 20 } });
    try {
      const unread = await openUnread(server);
      unread.write(discover);
      const status = async (): Promise<number> => (await post(server, bodyOf(1))).status;
      await expect.poll(status).toBe(503);
      const refused = await post(server, bodyOf(1));
      expect(refused.headers.get("retry-after")).toBe("1");
      expect(JSON.parse(refused.text)).toMatchObject({ error: { code: -32069 }, id: null });
      expect((await fetch(`${server.url}/livez`)).status).toBe(200);
      expect(server.counts().overOwed).toBeGreaterThan(0);
      unread.destroy();
      await expect.poll(status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  test("of a batch make its further calls busy, which is counted", async () => {
    const large = { ...testDocument, info: { title: "x".repeat(2 << 20), version: "0.0.0" } };
    const server = await startTestServer({ document: large, limits: { owedBytes: 1 << 20 } });
    try {
      const { text } = await post(server, `[${bodyOf(1, "rpc.discover")},${bodyOf(2)}]`);
      expect(JSON.parse(text)).toMatchObject([{ id: 1 }, { id: 2, error: { data: { reason: "busy" } } }]);
      expect(server.counts().overOwed).toBe(1);
    } finally {
      await server.stop();
    }
  });

  test("are given up after their time, with the connection", async () => {
    const limits = { takeTimeoutMs: 100 };
    const server = await startTestServer({ document, limits });
    try {
      const unread = await openUnread(server);
      unread.write(discover);
      await expect.poll(() => server.counts().slowReaders).toBe(1);
      const closed = new Promise((resolve) => unread.once("close", resolve));
      unread.resume();
      await closed;
    } finally {
      await server.stop();
    }
  });

  test("are waited for while they are being read", async () => {
    const server = await startTestServer({ document, limits: { takeTimeoutMs: 60_000 } });
    try {
      const received = await exchangeRaw(server, [discover.repeat(3)], areThree);
      expect(countOf(received, "HTTP/1.1 200 OK")).toBe(3);
      expect(server.counts().slowReaders).toBe(0);
    } finally {
      await server.stop();
    }
  });
});

test("a batch gets the contract once", async () => {
  const server = await startTestServer();
  try {
    const one = bodyOf(1, "rpc.discover");
    const { text } = await post(server, `[${one},${one},${one}]`);
    expect(JSON.parse(text)).toMatchObject([
      { result: { openrpc: "1.2.6" } },
      { error: { code: -32066 } },
      { error: { code: -32066 } },
    ]);
  } finally {
    await server.stop();
  }
});

describe("fixed documents", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startTestServer({ publicKey: "demo" });
  });
  afterAll(() => server.stop());

  test.each(["/openrpc.json", "/docs-config.json"])(
    "%s is not sent to a caller that has it",
    async (path) => {
      const first = await fetch(server.url + path);
      const etag = first.headers.get("etag")!;
      expect(first.headers.get("cache-control")).toBe("no-cache");
      expect(etag).toMatch(/^"[\w-]{22}"$/u);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await fetch(server.url + path, { headers: { "if-none-match": known } });
        expect([known, again.status, await again.text()]).toEqual([known, 304, ""]);
      }
      const changed = await fetch(server.url + path, { headers: { "if-none-match": '"other"' } });
      expect([changed.status, await changed.text()]).toEqual([200, await first.text()]);
    },
  );

  test("the contract depends on Host, and says so", async () => {
    const response = await fetch(`${server.url}/openrpc.json`);
    expect(response.headers.get("vary")).toContain("Host");
    expect(await response.json()).toMatchObject({ servers: [{ url: `${server.url}/v3/demo` }] });
    const ask = (host: string): Promise<string> =>
      exchangeRaw(server, [`GET /openrpc.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`]);
    for (let host = 0; host < 40; host++)
      expect(await ask(`host-${host}`)).toContain(`"http://host-${host}/v3/demo"`);
  });
});
