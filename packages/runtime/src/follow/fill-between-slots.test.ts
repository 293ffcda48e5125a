// Nodes of trees that were there before are filled by the process that follows the store.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import { addressOf, BubblegumTree } from "@lamplight/devchain";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { beginNodes, createIndexer, listsTrees, verifyNodes } from "@lamplight/indexer";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { followChain } from "./follow-chain.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-nodes-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the follower of a store fills the nodes of earlier changes, and says so", async () => {
  const file = join(folder, "index.db");
  const openStore = () => {
    const opened = openSqliteStore({ file, mode: "write" });
    if (!listsTrees(opened)) throw new Error("this store keeps no nodes of trees");
    return opened;
  };
  const store = openStore();
  await store.writeCoverage({ kind: "whole" });
  const tree = new BubblegumTree(1, { depth: 14 });
  const transactions = [tree.create(), ...Array.from({ length: 70 }, () => tree.mintV1(addressOf(1)))];
  const { slot } = tree;
  const accounts = [{ ...tree.account(), slot, writeVersion: 0 }];
  await createIndexer(store).apply({ accounts, transactions, watermark: { slot, blockhash: null } });
  await beginNodes(store);
  expect(await verifyNodes(store)).toEqual({ problems: [], isUnfilled: true });
  const upstream = new SimulatedYellowstone({ replay: () => [] });
  const said: string[] = [];
  const url = await upstream.start();
  const live = await followChain(
    store,
    { kind: "yellowstone", url, token: null, commitment: "processed", repairRpc: null },
    {
      store: `sqlite:${file}`,
      withSearch: false,
      callsForever: false,
      say: () => {},
      inform: (line) => said.push(line),
    },
  );
  try {
    await expect.poll(() => said, { timeout: 60_000 }).toContain("nodes for proofs are filled: 1 trees");
    expect(said).toContain(`nodes of tree ${encodeAddress(tree.address)} are filled: 70 leaves so far`);
  } finally {
    await live.stop();
    await upstream.stop();
  }
  const after = openStore();
  expect(await verifyNodes(after)).toEqual({ problems: [], isUnfilled: false });
  await after.close();
});
