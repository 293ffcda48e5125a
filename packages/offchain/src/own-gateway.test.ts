import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FetchOutcome } from "./fetch-outcome.ts";
import { createNetworkFetcher } from "./network-fetcher.ts";
import { type HostileServer, startHostileServer } from "../test/hostile-server.ts";

describe("a gateway on an address of our own", () => {
  const cid = "bafybeihaky4htq6obur3ziksyanpdoqmrnefben3dbecddru52xh2sdkii";
  const id = "JIdaRM9RXQUNhigQ7ochqc3AAVl95uGHAsilhcSMUC4";
  let gateway: HostileServer;
  beforeAll(async () => {
    gateway = await startHostileServer();
  });
  afterAll(() => gateway.close());

  /** Nothing here is public: what is reached is reached because it is allowed. */
  const ask = (uri: string): Promise<FetchOutcome> =>
    createNetworkFetcher({
      isPublic: (address) => address === "127.0.0.9",
      allowedAddresses: new Set(["127.0.0.1"]),
      ports: [gateway.port],
      resolve: async (host) => [host === "public.test" ? "127.0.0.9" : "127.0.0.1"],
      ipfsGateways: [`http://own.test:${gateway.port}/ipfs/`],
      arweaveGateways: [`http://127.0.0.1:${gateway.port}/deep/ar/`],
      limits: { requestsPerSecondPerHost: 1000 },
    }).fetch(uri, { etag: null, lastModified: null }, new AbortController().signal);

  test("is asked below its own path, for a CID, an id and a copy of a gateway elsewhere", async () => {
    gateway.on(`/ipfs/${cid}/1.json`, (_request, response) => response.end('{"n":1}'));
    gateway.on(`/deep/ar/${id}`, (_request, response) => response.end('{"n":2}'));
    for (const uri of [
      `ipfs://${cid}/1.json`,
      `ipfs://${cid}/a/../1.json`,
      `http://${cid}.ipfs.public.test:${gateway.port}/1.json`,
      `http://own.test:${gateway.port}/ipfs/${cid}/1.json`,
    ]) {
      expect(await ask(uri), uri).toMatchObject({ kind: "document", json: '{"n":1}' });
    }
    expect(await ask(`ar://${id}`)).toMatchObject({ kind: "document", json: '{"n":2}' });
  });

  const climbs = [
    "../../api/v0/id",
    "..\\..\\api\\v0\\id",
    "%2e%2e/%2E%2e/api/v0/id",
    ".%2e/%2e./api/v0/id",
    "..%2f..%2fapi/v0/id",
    "..%5c..%5capi/v0/id",
    "%2e%2e%2f%2e%2e%2fapi%2fv0%2fid",
    "%252e%252e/%252e%252e/api/v0/id",
    "a/..;/..;/..;/api/v0/id",
    "..%00/..%00/api/v0/id",
    "a//../../../../api/v0/id",
    "./..//../api/v0/id?arg=1#x",
    "x?/../../y/../../../../\u0000",
    "\t../\n../api/v0/id",
  ];
  test("is never asked for anything else, however the path is written", async () => {
    const before = gateway.asked.length;
    for (const climb of climbs) {
      for (const uri of [
        `ipfs://${cid}/${climb}`,
        `ipfs:${cid}/${climb}`,
        `ipfs://ipfs/${cid}/${climb}`,
        `ar://${id}/${climb}`,
        `http://${cid}.ipfs.public.test:${gateway.port}/${climb}`,
        `http://public.test:${gateway.port}/ipfs/${cid}/${climb}`,
      ]) {
        await ask(uri);
      }
    }
    const scopes = [`/ipfs/${cid}`, `/deep/ar/${id}`];
    for (const path of gateway.asked.slice(before)) {
      expect(scopes.some((scope) => path === scope || /^[/?]/.test(path.slice(scope.length)))).toBe(true);
      expect(path.split("?", 1)[0]).not.toMatch(/\.\.|%2e%2e|%252e/i);
    }
    for (const climb of climbs.slice(0, 10)) {
      expect(await ask(`ipfs://${cid}/${climb}`)).toEqual(
        expect.objectContaining({ status: "refused", reason: "the path leaves its CID or id" }),
      );
    }
  });

  test.each([
    ["its address", () => `http://127.0.0.1:${gateway.port}/api/v0/id`],
    ["its name", () => `http://own.test:${gateway.port}/api/v0/id`],
    ["its own path without a CID", () => `http://own.test:${gateway.port}/ipfs/`],
    ["its own path with dots", () => `http://own.test:${gateway.port}/ipfs/${cid}/../../api/v0/id`],
    ["another name of its address", () => `http://other.test:${gateway.port}/x.json`],
    ["a name below it", () => `http://x.own.test:${gateway.port}/ipfs/x`],
  ])("a URL of an asset never reaches it by %s", async (_what, uri) => {
    const before = gateway.asked.length;
    expect(await ask(uri())).toMatchObject({ kind: "failure", status: "refused" });
    expect(gateway.asked.slice(before)).toEqual([]);
  });

  test("its redirects stay below the CID, or lead to the public internet", async () => {
    gateway.on(`/ipfs/${cid}/dir`, (_request, response) =>
      response.writeHead(301, { location: `/ipfs/${cid}/dir/` }).end(),
    );
    gateway.on(`/ipfs/${cid}/dir/`, (_request, response) => response.end('{"dir":1}'));
    expect(await ask(`ipfs://${cid}/dir`)).toMatchObject({ kind: "document", json: '{"dir":1}' });
    for (const location of [
      "/api/v0/id",
      "../../api/v0/id",
      `/ipfs/${cid}/..%2f..%2fapi`,
      `/ipfs/${cid}x`,
      `http://127.0.0.1:${gateway.port}/ipfs/${cid}/dir/`,
    ]) {
      gateway.on(`/ipfs/${cid}/out`, (_request, response) => response.writeHead(302, { location }).end());
      const before = gateway.asked.length;
      expect(await ask(`ipfs://${cid}/out`), location).toMatchObject({ status: "refused" });
      expect(gateway.asked.slice(before)).toEqual([`/ipfs/${cid}/out`]);
    }
  });
});
