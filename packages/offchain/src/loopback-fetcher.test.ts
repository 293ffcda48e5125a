import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLoopbackFetcher, isLoopbackOrigin } from "./loopback-fetcher.ts";

const none = { etag: null, lastModified: null };
let server: Server;
let other: Server;
let origin: string;
let otherOrigin: string;
let asked: string[];

const listen = async (): Promise<readonly [Server, string]> => {
  const made = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    if (request.url === "/away") response.writeHead(302, { location: `${otherOrigin}/x.json` }).end();
    else response.writeHead(200, { "content-type": "application/json" }).end('{"name":"Cat"}');
  }).listen(0, "127.0.0.1");
  await once(made, "listening");
  return [made, `http://127.0.0.1:${(made.address() as AddressInfo).port}`];
};

beforeAll(async () => {
  asked = [];
  [server, origin] = await listen();
  [other, otherOrigin] = await listen();
});
afterAll(() => {
  server.close();
  other.close();
});

describe("documents of origins on this machine", () => {
  test("are fetched from an origin that is named, also by the name localhost", async () => {
    const byName = origin.replace("127.0.0.1", "localhost");
    const fetcher = createLoopbackFetcher([origin, byName]);
    for (const base of [origin, byName]) {
      const outcome = await fetcher.fetch(`${base}/cat.json`, none, AbortSignal.timeout(60_000));
      expect(outcome).toMatchObject({ kind: "document", json: '{"name":"Cat"}' });
    }
  });

  test("no other origin is asked, not by a redirect either", async () => {
    asked = [];
    const fetcher = createLoopbackFetcher([origin]);
    for (const uri of [
      `${otherOrigin}/x.json`,
      `${origin}/away`,
      origin.replace("127.0.0.1", "localhost"),
      "https://example.com/x.json",
      "http://169.254.169.254/latest",
      "ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG/1.json",
    ])
      expect(await fetcher.fetch(uri, none, AbortSignal.timeout(60_000))).toMatchObject({
        kind: "failure",
        status: "refused",
      });
    expect(asked).toEqual([`${new URL(origin).host}/away`]);
  });

  test.each([
    ["http://127.0.0.1:3000", true],
    ["http://localhost:3000/", true],
    ["http://app.localhost", true],
    ["http://[::1]:8080", true],
    ["https://127.9.9.9", true],
    ["http://127.0.0.1:3000/path", false],
    ["http://10.0.0.1", false],
    ["http://localhost.example.com", false],
    ["ftp://localhost", false],
    ["localhost:3000", false],
    ["", false],
  ])("%s is one: %s", (text, is) => {
    expect(isLoopbackOrigin(text)).toBe(is);
  });
});
