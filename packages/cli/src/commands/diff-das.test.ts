// `lamplight diff --methods das` between two real servers: equal, and with differences that are decided or are not.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoAddresses } from "@lamplight/devchain";
import { type OpenedReader, openStoreForReading } from "@lamplight/runtime";
import { type RunningServer, startServer } from "@lamplight/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand } from "../../test/run-command.ts";

const key = "diff-key-0123456789";
const { collection, nft, nftOwner, missing, wallet } = demoAddresses;
let folder: string;
let store: string;
let reader: OpenedReader;
let server: RunningServer;
let other: Server;
let url: string;
let otherUrl: string;

type Json = Record<string, unknown>;

/** Another DAS server would answer this: decided differences, and one that is not. */
const inWordsOfOther = (text: string): string => {
  const answer = JSON.parse(text) as { readonly result?: { readonly items?: readonly Json[] } };
  const found = answer.result?.items;
  // Amounts of other answers are beyond doubles.
  if (found === undefined) return text;
  const items = found.map((item) => ({
    ...item,
    token_info: { ...(item["token_info"] as Json), price_info: { price_per_token: 1 } },
    supply: { ...(item["supply"] as Json), print_max_supply: 0, print_current_supply: 0 },
    mutable: item["mutable"] !== true,
  }));
  // One that this server does not list: the items after it have other positions.
  const result = {
    ...answer.result,
    total: items.length,
    items: [{ id: missing, burnt: false }, ...items.slice(1)],
  };
  return JSON.stringify({ ...answer, result });
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-diff-das-"));
  const file = join(folder, "demo.db");
  await createDemoStore(file);
  store = `sqlite:${file}`;
  reader = await openStoreForReading(store);
  server = await startServer({ viewSource: reader, keys: [key], port: 0, methods: ["das"] });
  url = `${server.url}/das/${key}`;
  // A server that answers what the first one does, in the words of another.
  other = createServer((request, response) => {
    void (async () => {
      const body = await new Response(ReadableStream.from(request)).text();
      const answered = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      const text = await answered.text();
      response.setHeader("content-type", "application/json");
      response.setHeader("x-slot", answered.headers.get("x-slot") ?? "");
      response.end(inWordsOfOther(text));
    })();
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  other.close();
  await server.stop();
  reader.close();
  rmSync(folder, { recursive: true });
});

const diff = (...args: readonly string[]) => runCommand(["diff", "--methods", "das", "--url", url, ...args]);

test("a server and itself are equal, by calls of every kind that the command finds", async () => {
  const { exitCode, stdout } = await diff("--against", url);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/\n\d\d+ equal, 0 different\n$/u)]);
});

test("a store and the server that serves it are equal", async () => {
  const args = ["diff", "--methods", "das", "--store", store, "--against", url];
  const { exitCode, stdout } = await runCommand(args);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/\n\d\d+ equal, 0 different\n$/u)]);
});

test("sorts differences into decided ones and others, of requests, batches and an access log", async () => {
  const requests = join(folder, "calls.jsonl");
  const byGroup = {
    groupKey: "collection",
    groupValue: collection,
    limit: 3,
    options: { showFungible: true },
  };
  const batch = [
    { jsonrpc: "2.0", id: 1, method: "getAssetsByGroup", params: byGroup },
    { jsonrpc: "2.0", id: 2, method: "getAsset", params: { id: nft } },
  ];
  const logged = { jsonrpc: "2.0", id: 3, method: "getTokenAccounts", params: { owner: wallet } };
  const lines = [
    JSON.stringify(batch),
    JSON.stringify({ method: "POST", status: 200, request_body: JSON.stringify(logged) }),
    JSON.stringify({ method: "getAssetProof", params: { id: missing } }),
    JSON.stringify({ method: "getAssetsByOwner", params: { ownerAddress: nftOwner, limit: 0 } }),
  ];
  writeFileSync(requests, lines.join("\n"));
  const { exitCode, stdout } = await diff("--against", otherUrl, "--requests", requests);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("known, in 1: prices, proxied files and other additions of hosted servers");
  expect(stdout).toContain("known, in 1: paging: other servers report the length of the page");
  expect(stdout).toContain("different, in 1: getAssetsByGroup /items/*/mutable\n");
  // The other server lists an asset that this one does not, and lacks one.
  expect(stdout).toContain("different, in 1: getAssetsByGroup /items/*\n");
  expect(stdout).toMatch(/\n4 equal, 1 different/u);
  expect(stdout).not.toContain("price_info");
  expect(stdout).not.toContain(key);
});

test("refuses methods that it does not know", async () => {
  expect(await runCommand(["diff", "--methods", "dass", "--against", url])).toMatchObject({
    exitCode: 2,
    stderr: "lamplight: --methods must be das\n",
  });
});
