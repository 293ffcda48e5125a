import { once } from "node:events";
import { get, request } from "node:http";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exchangeRaw, startTestServer, testKey, testDocument } from "../../test/protocol-server.ts";
import type { RunningServer } from "../start-server.ts";
import { createGateMemory } from "../gate/gate-memory.ts";
import { createCellsMemory, SharedCells } from "../gate/shared-cells.ts";
import { AnswerCompression, chooseCoding } from "./compression.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-compression-"));
const page = `<h1>home</h1>${"text ".repeat(1000)}`;
let server: RunningServer;
let plainServer: RunningServer;

/** A contract whose text is an answer of 60 KB. */
const document = { ...testDocument, info: { ...testDocument.info, description: "large ".repeat(10_000) } };

beforeAll(async () => {
  mkdirSync(join(folder, "help"));
  writeFileSync(join(folder, "index.html"), page);
  writeFileSync(join(folder, "small.html"), "<p>small</p>");
  writeFileSync(join(folder, "picture.png"), Buffer.alloc(4096));
  writeFileSync(join(folder, "help", "not-found.html"), "<h1>No such page</h1>");
  writeFileSync(join(folder, "help", "call-address.html"), "<h1>Calls go here</h1>");
  server = await startTestServer({ docsDirectory: folder, document });
  // All that may be under way are another worker's.
  const memory = createGateMemory(100, 2);
  new SharedCells(memory.compressions, 1).addToAll(2);
  plainServer = await startTestServer({ document, shared: { memory, worker: 0 } });
});

afterAll(async () => {
  await Promise.all([server.stop(), plainServer.stop()]);
  rmSync(folder, { recursive: true });
});

/** Node's own client decompresses nothing. */
const read = async (path: string, encoding: string, body: string | null = null, of = server) => {
  const headers = { "accept-encoding": encoding, "content-type": "application/json" };
  const sent =
    body === null
      ? get(`${of.url}${path}`, { headers })
      : request(`${of.url}${path}`, { headers, method: "POST" }).end(body);
  const [response] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
  return { headers: response.headers, bytes: await buffer(response) };
};

const discover = '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}';
const unpack = { br: brotliDecompressSync, gzip: gunzipSync };

describe.each(["br", "gzip"] as const)("a caller that takes %s", (coding) => {
  test("gets a page compressed, the same again from memory, and 304 for its tag", async () => {
    for (const path of ["/", "/"]) {
      const { headers, bytes } = await read(path, coding);
      expect(headers).toMatchObject({ "content-encoding": coding, vary: "Accept-Encoding" });
      expect(Number(headers["content-length"])).toBe(bytes.length);
      expect(bytes.length).toBeLessThan(page.length / 10);
      expect(unpack[coding](bytes).toString()).toBe(page);
      const again = await fetch(`${server.url}/`, { headers: { "if-none-match": headers.etag! } });
      expect(again.status).toBe(304);
    }
  });

  test("gets a large answer compressed", async () => {
    const plain = await read(`/v3/${testKey}`, "identity", discover);
    const { headers, bytes } = await read(`/v3/${testKey}`, coding, discover);
    expect(headers).toMatchObject({ "content-encoding": coding, "cache-control": "no-store" });
    expect(unpack[coding](bytes).toString()).toBe(plain.bytes.toString());
    expect(server.load().owedBytes).toBe(0);
  });

  test("gets a small answer, a small page and a picture as they are", async () => {
    const paths = ["/small.html", "/picture.png", "/livez"];
    const answers = await Promise.all([
      ...paths.map((path) => read(path, coding)),
      read(`/v3/${testKey}`, coding, '{"jsonrpc":"2.0","id":1,"method":"nope"}'),
    ]);
    for (const { headers } of answers) expect(headers["content-encoding"]).toBeUndefined();
  });
});

test("the contract is compressed for some names of the server, and not again for each new one", async () => {
  const contracts = await startTestServer({ document });
  const codingFor = async (host: string): Promise<string | undefined> => {
    const headers = { host, "accept-encoding": "br" };
    const [response] = (await once(get(`${contracts.url}/openrpc.json`, { headers }), "response")) as [
      import("node:http").IncomingMessage,
    ];
    const bytes = await buffer(response);
    const { "content-encoding": coding } = response.headers;
    const text = coding === "br" ? brotliDecompressSync(bytes) : bytes;
    expect(text.toString()).toContain(`http://${host}/v3/`);
    return coding;
  };
  try {
    const codings: (string | undefined)[] = [];
    for (let name = 0; name < 40; name++) codings.push(await codingFor(`name-${name}`));
    expect(codings.filter((coding) => coding === "br")).toHaveLength(16);
    expect(await codingFor("name-0")).toBe("br");
  } finally {
    await contracts.stop();
  }
});

test("an answer is sent as it is while as many as allowed are being compressed", async () => {
  const { headers, bytes } = await read(`/v3/${testKey}`, "br", discover, plainServer);
  expect(headers["content-encoding"]).toBeUndefined();
  expect(JSON.parse(bytes.toString())).toHaveProperty("result");
  const compression = new AnswerCompression(new SharedCells(createCellsMemory(1, 1), 0));
  const done: Promise<Buffer>[] = [];
  for (let count = 0; count < 2; count++) {
    expect(compression.codingFor("gzip")).toBe("gzip");
    done.push(compression.compress(Buffer.alloc(1 << 20), "gzip"));
  }
  expect(compression.codingFor("gzip")).toBeNull();
  await Promise.all(done);
  expect(compression.codingFor("gzip")).toBe("gzip");
});

test.each([
  [undefined, null],
  ["", null],
  ["deflate", null],
  ["gzip, deflate", "gzip"],
  ["gzip, br;q=0.9", "br"],
  ["br;q=0, gzip", "gzip"],
  ["br; q=0.0, gzip;q=0", null],
  ["GZIP", "gzip"],
  ["*", null],
])("Accept-Encoding %j leads to %s", (accepted, coding) => {
  expect(chooseCoding(accepted)).toBe(coding);
});

test("answers are never kept, and no reply is taken for another type than it has", async () => {
  const call = `POST /v3/${testKey} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]`;
  const requests = [
    call,
    ...[
      "GET / HTTP/1.1",
      "GET /none HTTP/1.1",
      "GET /livez HTTP/1.1",
      "OPTIONS / HTTP/1.1",
      "GET /\u0001",
    ].map((line) => `${line}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`),
  ];
  for (const text of requests) {
    const head = (await exchangeRaw(server, [text])).toLowerCase();
    expect(head).toContain("x-content-type-options: nosniff");
    expect(head.includes("cache-control: no-store")).toBe(!/^(?:GET \/ |OPTIONS)/u.test(text));
  }
});

test.each([
  ["/v3/any-key", 405, "<h1>Calls go here</h1>"],
  ["/v3", 405, "<h1>Calls go here</h1>"],
  ["/no/such/page", 404, "<h1>No such page</h1>"],
])("a browser that opens %s gets %i and a page, a program JSON", async (path, status, html) => {
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  const opened = await fetch(server.url + path, { headers: { accept } });
  expect([opened.status, opened.headers.get("content-type"), await opened.text()]).toEqual([
    status,
    "text/html; charset=utf-8",
    html,
  ]);
  for (const other of [server, plainServer]) {
    const answer = await fetch(other.url + path, other === server ? {} : { headers: { accept } });
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32600 } });
    expect(answer.status).toBe(status);
  }
});
