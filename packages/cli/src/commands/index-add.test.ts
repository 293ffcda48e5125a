import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import { emptyChangeSet, NodeBlock, nodeBlockKey } from "@lamplight/core";
import { addressOf, BubblegumTree, demoAddresses } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { openStoreForReading } from "@lamplight/runtime";
import { startServer } from "@lamplight/server";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand } from "../../test/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-index-"));
const file = join(folder, "trees.db");
const store = `sqlite:${file}`;
const apiKey = "index-key-0123456789";
const tree = new BubblegumTree(1, { depth: 14 });
beforeAll(async () => {
  const opened = openSqliteStore({ file, mode: "write" });
  await opened.writeCoverage({ kind: "whole" });
  const minted = Array.from({ length: 70 }, () => tree.mintV1(addressOf(1)));
  const { slot } = tree;
  await createIndexer(opened).apply({
    accounts: [{ ...tree.account(), slot, writeVersion: 0 }],
    transactions: minted,
    watermark: { slot, blockhash: null },
  });
  await opened.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

test("makes a store keep nodes, and makes those of the trees that are there", async () => {
  const { exitCode, stdout, stderr } = await runCommand(["index", "add", "das", "--store", store]);
  expect([exitCode, stdout]).toEqual([
    0,
    `${store} keeps nodes for proofs; 1 trees with 70 leaves were filled
${store} keeps the token accounts of each mint; 0 were there
`,
  ]);
  expect(stderr).toContain(`tree ${encodeAddress(tree.address)}: 70 leaves so far`);
  const again = await runCommand(["index", "add", "das", "--store", store, "--json"]);
  expect(JSON.parse(again.stdout)).toEqual({
    event: "indexed",
    store,
    index: "das",
    trees: 1,
    leaves: 70,
    tokenAccounts: null,
  });
  expect((await runCommand(["verify", "--store", store])).exitCode).toBe(0);
});

test("makes wrong nodes right again, and lamplight verify names their tree until then", async () => {
  const opened = openSqliteStore({ file, mode: "write" });
  const key = nodeBlockKey(tree.address, 0, 0);
  const [kept] = await opened.readLedger("nodes", [key]);
  const block = NodeBlock.parse(kept!.state);
  const change = { seq: tree.seq + 1, slot: tree.slot };
  block.put(3, change, (level) => (level === 1 ? addressOf(1) : block.nodeAt(level, 3 >>> level)!.hash));
  await opened.commit({ ...emptyChangeSet, ledger: [{ ...kept!, state: block.write() }] });
  await opened.close();
  const { exitCode, stdout } = await runCommand(["verify", "--store", store]);
  const name = `tree ${encodeAddress(tree.address)}`;
  expect([exitCode, stdout]).toEqual([
    1,
    expect.stringContaining(`${name}: 1 of its nodes are wrong; run lamplight index add das\n`),
  ]);
  expect((await runCommand(["index", "add", "das", "--store", store])).exitCode).toBe(0);
  expect((await runCommand(["verify", "--store", store])).exitCode).toBe(0);
});

test("leaves earlier changes to the process that follows, and the next run fills them where none does", async () => {
  const { exitCode, stdout } = await runCommand(["index", "add", "das", "--store", store, "--no-fill"]);
  const rest = "those of earlier changes are filled by the process that follows it";
  const before = `${store} keeps the token accounts of each mint, and did before\n`;
  expect([exitCode, stdout]).toEqual([0, `${store} keeps nodes for proofs; ${rest}\n${before}`]);
  const verified = await runCommand(["verify", "--store", store]);
  expect([verified.exitCode, verified.stdout]).toEqual([
    0,
    expect.stringMatching(/^unfinished: the nodes of some trees are not filled yet; .*\n.*: sound \(/u),
  ]);
  const again = await runCommand(["index", "add", "das", "--store", store, "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ event: "indexed", trees: 1, leaves: 70 });
});

test("lets servers that run answer the token accounts of a mint", async () => {
  const demo = join(folder, "demo.db");
  await createDemoStore(demo);
  const url = `sqlite:${demo}`;
  const reader = await openStoreForReading(url);
  const server = await startServer({ viewSource: reader, keys: [apiKey], port: 0, methods: ["das"] });
  const ask = async (): Promise<Record<string, unknown>> => {
    const params = { mintAddress: demoAddresses.mint };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getTokenAccounts", params });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${server.url}/das/${apiKey}`, { method: "POST", headers, body });
    return (await response.json()) as Record<string, unknown>;
  };
  try {
    const message = expect.stringContaining("the index that lamplight index add das makes");
    expect(await ask()).toMatchObject({ error: { code: -32068, message } });
    const { exitCode, stdout } = await runCommand(["index", "add", "das", "--store", url]);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/ of each mint; [1-9]\d* were there\n/u)]);
    const { result } = (await ask()) as { result: { total: number; token_accounts: { mint: string }[] } };
    expect(result.total).toBeGreaterThan(1);
    expect(result.token_accounts.map(({ mint }) => mint)).toEqual(
      Array.from({ length: result.total }, () => demoAddresses.mint),
    );
    expect((await runCommand(["verify", "--store", url])).exitCode).toBe(0);
  } finally {
    await server.stop();
    reader.close();
  }
});

test("is refused while another process writes the store", async () => {
  const writer = openSqliteStore({ file, mode: "write" });
  const { exitCode, stderr } = await runCommand(["index", "add", "das", "--store", store]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("stop it, run this command")]);
  await writer.close();
});

test.each([
  [["index", "add", "--store", store], "name the index to add: das"],
  [["index", "add", "names", "--store", store], "name the index to add: there is only das"],
  [["index", "add", "das"], "--store is missing"],
])("%j is refused", async (args, sentence) => {
  const { exitCode, stderr } = await runCommand(args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});
