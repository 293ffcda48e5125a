// `lamplight dev --clone…`: accounts of a node are read once, kept in a file, and answered as on their own chain.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { createClient } from "@lamplight/client";
import { ChainSimulation, ChainWorld } from "@lamplight/devchain";
import { RpcLedger, SimulatedRpc } from "@lamplight/devchain/upstream";
import { createIndexer } from "@lamplight/indexer";
import { type RunningServer, startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { runCommand } from "../../test/run-command.ts";
import { type RunningDev, startDev } from "../../test/run-dev.ts";

const SEED = 41;
const key = "clone-key-0123456789";

let root: string;
let world: ChainWorld;
let node: SimulatedRpc;
let nodeUrl: string;
let reader: ReturnType<typeof openSqliteReader>;
let index: RunningServer;
/** A node that also answers searchAssets, as those of providers do. */
let provider: Server;
let providerUrl: string;
let assets: Readonly<
  Record<"core" | "coreSibling" | "nft" | "programmable" | "token2022" | "grouped" | "inscribed", string>
>;
let group: string;
let collections: { readonly core: string; readonly nft: string };
let file: string;
let dev: RunningDev | null;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "lamplight-clone-"));
  world = new ChainWorld({ seed: SEED });
  const owner = world.wallet("collector");
  collections = {
    core: world.createCollection({ name: "Lighthouses" }),
    nft: world.createCollection({ name: "Anchors", kind: "nft" }),
  };
  group = world.createCollection({ name: "Buoys", kind: "token-2022" });
  const { core, nft } = collections;
  assets = {
    core: world.mint({ kind: "core", collection: core, owner, name: "One" }),
    coreSibling: world.mint({ kind: "core", collection: core, name: "Two" }),
    nft: world.mint({ kind: "nft", collection: nft, name: "Three" }),
    programmable: world.mint({ kind: "programmable-nft", collection: nft, owner, name: "Four" }),
    token2022: world.mint({ kind: "token-2022", owner, name: "Five" }),
    grouped: world.mint({ kind: "token-2022", collection: group, name: "Six" }),
    inscribed: world.mint({ kind: "nft", name: "Seven" }),
  };
  world.inscribe(assets.inscribed);
  const { accounts } = world.takeSlot();
  const ledger = new RpcLedger(new ChainSimulation({ seed: SEED }));
  ledger.settle();
  ledger.write(accounts);
  ledger.finalizeAll();
  node = new SimulatedRpc({ ledger, seed: SEED });
  nodeUrl = `http://${await node.start()}`;
  await serveIndex(accounts);
  provider = createServer(async (request, response) => {
    const body = (await buffer(request)).toString("utf8");
    const to = body.includes('"searchAssets"') ? `${index.url}/v3/${key}` : nodeUrl;
    const headers = { "content-type": "application/json" };
    response.end(await (await fetch(to, { method: "POST", headers, body })).text());
  }).listen(0, "127.0.0.1");
  await once(provider, "listening");
  providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(async () => {
  provider.closeAllConnections();
  provider.close();
  await index.stop();
  reader.close();
  await node.stop();
  rmSync(root, { recursive: true });
});

/** The same accounts, as an index of them answers. */
const serveIndex = async (accounts: ReturnType<ChainWorld["takeSlot"]>["accounts"]): Promise<void> => {
  const path = join(root, "index.db");
  const store = openSqliteStore({ file: path, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  await createIndexer(store).applyAccounts(accounts, { slot: 400_000_000, blockhash: null });
  await store.close();
  reader = openSqliteReader({ file: path });
  index = await startServer({ viewSource: reader, keys: [key], port: 0 });
};

beforeEach(() => {
  file = join(mkdtempSync(join(root, "file-")), "clone.ndjson");
  dev = null;
});
afterEach(async () => {
  await dev?.stop();
});

const start = async (...args: readonly string[]) => {
  dev = await startDev(["--port", "0", "--slot-ms", "3600000", "--clone-file", file, ...args]);
  return createClient({ url: dev.api, timeoutMs: 300_000 });
};

const showAll = { showInscription: true, showCollectionMetadata: true };

/** Where on chain it is, and from when, may differ; the rest may not. */
const expectSameAsset = async (client: ReturnType<typeof createClient>, id: string): Promise<void> => {
  const original = createClient({ url: index.url, apiKey: key });
  expect(await client.getAsset(id, showAll)).toEqual(await original.getAsset(id, showAll));
};

test("a single asset comes with all that describes it, and the file alone does for the next start", async () => {
  const args = Object.values(assets).flatMap((id) => ["--clone", id]);
  const client = await start(...args, "--from", nodeUrl);
  for (const id of [...Object.values(assets), group]) await expectSameAsset(client, id);
  await dev!.stop();
  const text = readFileSync(file, "utf8");
  expect(text.split("\n").slice(0, -1)).toEqual(text.split("\n").slice(0, -1).toSorted());
  const calls = new Map(node.calls);
  const again = await start(...args);
  await expectSameAsset(again, assets.programmable);
  expect(node.calls).toEqual(calls);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("a wallet comes with its holdings, and a Core collection with its assets", async () => {
  const owner = world.wallet("collector").address;
  const client = await start("--clone-owner", owner, "--from", nodeUrl);
  for (const id of [assets.core, assets.programmable, assets.token2022]) await expectSameAsset(client, id);
  expect((await client.searchAssets({ ownerAddress: owner })).total).toBe(3);
  await expect(client.getAsset(assets.coreSibling)).rejects.toMatchObject({ code: -32000 });
  await dev!.stop();
  const more = await start("--clone-owner", owner, "--clone-collection", collections.core, "--from", nodeUrl);
  await expectSameAsset(more, assets.coreSibling);
  expect((await more.searchAssets({ grouping: ["collection", collections.core] })).total).toBe(2);
});

test("a collection of Token Metadata comes from a node with searchAssets, and others say so", async () => {
  const args = ["--clone-collection", collections.nft, "--clone-file", file];
  const refused = await runCommand(["dev", ...args, "--from", nodeUrl]);
  expect([refused.exitCode, refused.stderr]).toEqual([
    1,
    expect.stringContaining("--from that has searchAssets"),
  ]);
  const client = await start(...args.slice(0, 2), "--from", providerUrl);
  for (const id of [assets.nft, assets.programmable]) await expectSameAsset(client, id);
});

test("what is missing, in the file or at the node, is named", async () => {
  const nobody = world.wallet("nobody").address;
  const run = async (...args: readonly string[]) => {
    const { exitCode, stderr } = await runCommand(["dev", "--clone-file", file, ...args]);
    return [exitCode, stderr];
  };
  expect(await run("--clone", nobody, "--from", nodeUrl)).toEqual([
    1,
    expect.stringContaining(`has no account ${nobody}; a compressed asset has none`),
  ]);
  expect(await run("--clone", nobody)).toEqual([
    2,
    expect.stringContaining(`does not have ${nobody}; name a node`),
  ]);
  expect(await run()).toEqual([1, expect.stringContaining(`${file} does not exist`)]);
  writeFileSync(file, '{"pubkey":5}\n');
  expect(await run()).toEqual([1, expect.stringContaining(`${file}:1: pubkey must be base58 text`)]);
});
