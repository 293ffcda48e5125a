import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyChangeSet, type IndexStore, type ViewSource } from "@lamplight/core";
import { type RunningServer, startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../client.ts";
import { createClient } from "../create-client.ts";
import { createInProcessClient } from "../in-process.ts";
import { monotonicReads } from "./monotonic-reads.ts";
import { perTick } from "./tick-batcher.ts";

const apiKey = "key";
const address = "11111111111111111111111111111111";

interface Node {
  readonly writer: IndexStore;
  readonly viewSource: ViewSource & { close(): void };
  readonly server: RunningServer;
}

let folder: string;
let ahead: Node;
let behind: Node;

const startNode = async (name: string, slot: number): Promise<Node> => {
  const file = join(folder, name);
  const writer = openSqliteStore({ file, mode: "write" });
  await writer.writeCoverage({ kind: "whole" });
  await writer.commit({ ...emptyChangeSet, watermark: { slot, blockhash: null } });
  const viewSource = openSqliteReader({ file });
  return { writer, viewSource, server: await startServer({ viewSource, keys: [apiKey], port: 0 }) };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-monotonic-"));
  ahead = await startNode("ahead.db", 101);
  behind = await startNode("behind.db", 100);
});
afterAll(async () => {
  for (const { writer, viewSource, server } of [ahead, behind]) {
    await server.stop();
    viewSource.close();
    await writer.close();
  }
  rmSync(folder, { recursive: true });
});

/** A client whose requests a balancer spreads over two nodes. */
const openBalanced = () => {
  const bodies: string[] = [];
  const to = { node: ahead };
  const client = createClient({
    url: "http://balancer.test",
    apiKey,
    consistency: monotonicReads,
    fetch: (url, init) => {
      bodies.push(String(init?.body));
      return fetch(String(url).replace("http://balancer.test", to.node.server.url), init);
    },
  });
  return { client, to, bodies };
};

const calls: readonly (readonly [
  name: string,
  isSent: boolean,
  call: (client: Client) => Promise<unknown>,
])[] = [
  ["an account by position", true, (client) => client.getAccountInfo(address)],
  [
    "an account by name",
    true,
    (client) => client.getAccountInfo({ address, config: { encoding: "base64" } }),
  ],
  [
    "accounts of a delegate",
    true,
    (client) => client.getTokenAccountsByDelegate(address, { programId: address }),
  ],
  ["the largest accounts", false, (client) => client.getLargestAccounts()],
  ["a search", true, (client) => client.searchAssets({ ownerAddress: address })],
  ["editions by name", true, (client) => client.getNftEditions({ mint: address })],
  ["a batch", true, (client) => client.batch([{ method: "getAccountInfo", params: [address] }])],
];

test.each(calls)("%s: a node behind an earlier answer is refused", async (_name, isSent, call) => {
  const { client, to, bodies } = openBalanced();
  await call(client).catch(() => undefined);
  expect(bodies.at(-1)).not.toContain("minContextSlot");
  await client.getAccountInfo(address);
  await client.searchAssets({ ownerAddress: address });
  to.node = behind;
  const refusal = { code: -32016, kind: "MinContextSlotNotReached", data: { contextSlot: 100 } };
  const outcome = await call(client).then(
    (result) => (Array.isArray(result) ? (result as { error: unknown }[])[0]?.error : result),
    (error: unknown) => error,
  );
  expect(outcome).toMatchObject(refusal);
  expect(bodies.at(-1)?.includes('"minContextSlot":101')).toBe(isSent);
  to.node = ahead;
  expect(await client.withMeta.getAccountInfo(address)).toMatchObject({ slot: 101 });
});

test("each commitment has a slot of its own, and a caller's own slot stays", async () => {
  const { client, bodies } = openBalanced();
  await client.getAccountInfo(address, { commitment: "confirmed" });
  await client.getAccountInfo(address);
  expect(bodies.at(-1)).not.toContain("minContextSlot");
  await client.getAccountInfo(address, { commitment: "confirmed", minContextSlot: 7 });
  expect(bodies.at(-1)).toContain('"minContextSlot":7');
  await client.getAccountInfo(address, { commitment: "confirmed" });
  expect(bodies.at(-1)).toContain('"minContextSlot":101');
});

test("a call that was sent before a newer slot was seen may be answered at the older one", async () => {
  const { client, to } = openBalanced();
  to.node = behind;
  const early = client.withMeta.getAccountInfo(address);
  to.node = ahead;
  const late = client.withMeta.getAccountInfo(address);
  expect((await late).slot).toBe(101);
  expect((await early).slot).toBe(100);
});

const finalized = { method: "getAccountInfo", params: [address] } as const;
const confirmed = {
  method: "getAccountInfo",
  params: [address, { commitment: "confirmed" }],
} as const;
const bad = { method: "getAccountInfo", params: ["bad", { commitment: "confirmed" }] } as const;

test("a batch of several levels is checked and noted at each of them, and keeps its order", async () => {
  const { client, to, bodies } = openBalanced();
  await client.getAccountInfo(address, { commitment: "confirmed" });
  to.node = behind;
  const outcomes = await client.batch([confirmed, finalized, bad, finalized]);
  expect(outcomes.map(({ ok }) => ok)).toEqual([false, true, false, true]);
  expect(outcomes[0]).toMatchObject({ error: { code: -32016 } });
  expect(bodies).toHaveLength(3);
  to.node = ahead;
  expect((await client.batch([finalized, confirmed])).map(({ ok }) => ok)).toEqual([true, true]);
  to.node = behind;
  await expect(client.getAccountInfo(address)).rejects.toMatchObject({ code: -32016 });
});

test("a method without the parameter is refused at its own level only", async () => {
  const { client, to } = openBalanced();
  await client.getAccountInfo(address);
  to.node = behind;
  const [largest, seen] = await client.batch([{ method: "getLargestAccounts", params: [] }, confirmed]);
  expect(largest).toMatchObject({ ok: false, error: { code: -32016, data: { contextSlot: 100 } } });
  expect(seen.ok).toBe(true);
});

test("under perTick, a caller's bad address at one level leaves those of another level alone", async () => {
  const to = { node: ahead };
  const client = createClient({
    url: "http://balancer.test",
    apiKey,
    consistency: monotonicReads,
    batching: perTick,
    fetch: (url, init) => fetch(String(url).replace("http://balancer.test", to.node.server.url), init),
  });
  await client.getAccountInfo(address, { commitment: "confirmed" });
  to.node = behind;
  const outcomes = await Promise.allSettled([
    client.getAccountInfo("bad", { commitment: "confirmed" }),
    client.withMeta.getAccountInfo(address),
  ]);
  expect(outcomes).toMatchObject([{ status: "rejected" }, { status: "fulfilled" }]);
});

test("works below perTick, and in process", async () => {
  const { url } = ahead.server;
  const batched = createClient({ url, apiKey, consistency: monotonicReads, batching: perTick });
  const direct = createInProcessClient({ viewSource: ahead.viewSource, intercept: monotonicReads });
  for (const client of [batched, direct])
    expect(await Promise.all([client.getAccountInfo(address), client.getAccountInfo(address)])).toHaveLength(
      2,
    );
});
