// `lamplight dev --rpc`: everything that a node has, its trees, and documents from origins that are named.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeAddress, encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { BubblegumTree, ChainSimulation, ChainWorld } from "@lamplight/devchain";
import { RpcLedger, SimulatedRpc } from "@lamplight/devchain/upstream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../../test/run-command.ts";
import { type RunningDev, startDev } from "../../test/run-dev.ts";
import { until } from "../../test/until.ts";

const SEED = 31;
const tree = encodeAddress(new BubblegumTree(1).address);

let ledger: RpcLedger;
let node: SimulatedRpc;
let rpc: readonly string[];
let chain: NodeJS.Timeout;
let documents: Server;
let origin: string;
let asked: string[];
let dev: RunningDev | null;

beforeEach(async () => {
  dev = null;
  asked = [];
  documents = createServer((request, response) => {
    asked.push(request.url!);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name: "Cat", description: `from ${request.url}` }));
  }).listen(0, "127.0.0.1");
  await once(documents, "listening");
  origin = `http://127.0.0.1:${(documents.address() as AddressInfo).port}`;
  ledger = new RpcLedger(new ChainSimulation({ seed: SEED, isChaotic: true }), [tree]);
  for (let block = 0; block < 10; block += 1) ledger.advance();
  ledger.settle();
  node = new SimulatedRpc({ ledger, seed: SEED });
  const url = await node.start();
  rpc = ["--port", "0", "--rpc", `http://${url}`, "--ws", `ws://${url}`];
  chain = setInterval(() => {
    node.emit(ledger.pass(1));
    ledger.finalizeAll();
  }, 20);
});
afterEach(async () => {
  clearInterval(chain);
  await dev?.stop();
  await node.stop();
  documents.closeAllConnections();
  documents.close();
});

/** Programs and assets as another tool would make them on the node. */
const mintOnNode = (world: ChainWorld, path: string): string => {
  const id = world.mint({ kind: "core", name: "Cat", uri: `${origin}${path}`, document: null });
  node.emit(ledger.write(world.takeSlot().accounts));
  return id;
};

/** The account of the compression program as a node lists it. */
const compressionProgram: Omit<Account, "slot" | "writeVersion"> = {
  address: programAddresses.splAccountCompression,
  programOwner: decodeAddress("BPFLoader2111111111111111111111111111111111"),
  lamports: 5_000_000n,
  executable: true,
  rentEpoch: 2n ** 64n - 1n,
  data: new Uint8Array(10),
};

test("answers for what is there and for what comes, with documents of the origin that is named", async () => {
  const world = new ChainWorld({ seed: SEED });
  const before = mintOnNode(world, "/before.json");
  ledger.finalizeAll();
  dev = await startDev([...rpc, "--documents-origin", origin]);
  const { call } = dev;
  expect((await call("getAsset", { id: before })).result).toMatchObject({ interface: "MplCoreAsset" });
  const after = mintOnNode(world, "/after.json");
  await until(async () => (await call("getAsset", { id: after })).error === undefined);
  const descriptionOf = async (id: string): Promise<unknown> =>
    ((await call("getAsset", { id })).result as { content: { metadata: { description?: string } } }).content
      .metadata.description;
  await until(async () => (await descriptionOf(before)) === "from /before.json");
  await until(async () => (await descriptionOf(after)) === "from /after.json");
  // Everything else that the node has is there, too.
  const missing = await call("getAccountInfo", [encodeAddress(new Uint8Array(32).fill(99))]);
  expect([missing.error, missing.result]).toEqual([undefined, null]);
  expect((await call("getLargestAccounts", [])).error).toBe(undefined);
  expect(asked.toSorted()).toEqual(["/after.json", "/before.json"]);
  expect(dev.lines.join("\n")).toContain(`fetched from ${origin} alone`);
});

test("answers for the leaves of every tree, as the trees appear, with proofs", async () => {
  const world = new ChainWorld({ seed: SEED + 1 });
  const send = (): void => {
    const { accounts, transactions } = world.takeSlot();
    node.emit(ledger.write(accounts, transactions));
  };
  ledger.write([compressionProgram]);
  const early = world.createTree({ depth: 5 });
  const first = world.mint({ kind: "compressed", tree: early, name: "First" });
  send();
  ledger.finalizeAll();
  dev = await startDev([...rpc, "--methods", "das"]);
  const { call, callDas } = dev;
  const nameOf = async (id: string): Promise<unknown> =>
    (await call("getAsset", { id })).result?.content.metadata.name;
  await until(async () => (await nameOf(first)) === "First");
  const later = world.createTree({ depth: 5 });
  send();
  const second = world.mint({ kind: "compressed-v2", tree: later, name: "Second" });
  send();
  await until(async () => (await nameOf(second)) === "Second");
  const { result } = await call("searchAssets", { tree: later });
  expect(result).toMatchObject({ total: 1, items: [{ id: second, compression: { tree: later } }] });
  for (const [id, treeOfId] of [
    [first, early],
    [second, later],
  ] as const)
    await until(async () => (await callDas("getAssetProof", { id })).result?.tree_id === treeOfId);
});

test("fetches no document where no origin is named", async () => {
  const world = new ChainWorld({ seed: SEED });
  const id = mintOnNode(world, "/never.json");
  ledger.finalizeAll();
  dev = await startDev(rpc);
  const { call } = dev;
  await until(async () => (await call("getAsset", { id })).error === undefined);
  const from = (await call("getAsset", { id })).slot;
  await until(async () => (await call("getAsset", { id })).slot > from + 20);
  expect((await call("getAsset", { id })).result).toMatchObject({ content: { files: [] } });
  expect(asked).toEqual([]);
});

test("ends with the next step where no node answers", async () => {
  await node.stop();
  const { exitCode, stderr } = await runCommand(["dev", ...rpc]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("solana-test-validator")]);
});
