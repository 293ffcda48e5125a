// Tests of the answers that name incomplete trees, over a real store.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, findProgramAddress, programAddresses } from "@lamplight/codecs";
import { callMethod, createMethodSettings, CallRequest, reads } from "@lamplight/core";
import { BubblegumTree } from "@lamplight/devchain";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  account,
  coreAsset,
  key,
  masterEdition,
  metadata,
  mint,
  tokenAccount,
} from "../test/encode-accounts.ts";
import { createIndexer } from "./indexer.ts";

const whole = new BubblegumTree(1);
/** Its second change is missing. */
const cut = new BubblegumTree(2);
const [master, plain, core, owner, unknown] = [key(1), key(2), key(3), key(50), key(99)];
const address = encodeAddress;
const cutTree = [address(cut.address)];

/** A tree account of 1000 changes, of which none is indexed. */
const treeAccount = (tree: Uint8Array, authority: Uint8Array) => {
  const data = new Uint8Array(100);
  data[0] = 1;
  data.set(authority, 10);
  new DataView(data.buffer).setBigUint64(56, 1000n, true);
  return account(tree, programAddresses.splAccountCompression, [...data], 5);
};

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-trees-"));
  const store = openSqliteStore({ file: join(folder, "index.db"), mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  const indexer = createIndexer(store);
  await indexer.applyAccounts(
    [
      mint(master, 5),
      metadata(5, { mint: master }),
      masterEdition(master, 5, 0n, null),
      mint(plain, 5, { supply: 7n, decimals: 6 }),
      tokenAccount(key(60), 5, { mint: plain, owner, delegate: key(61), amount: 7n }),
      coreAsset(core, 5, owner, key(70)),
      treeAccount(key(80), key(81)),
      treeAccount(key(82), findProgramAddress([key(80)], programAddresses.bubblegum).address),
    ],
    { slot: 5, blockhash: null },
  );
  const [first, , third] = [cut.mintV1(owner), cut.mintV1(owner), cut.mintV1(owner)];
  await indexer.applyTransactions([whole.mintV1(owner), first, third], { slot: 2000, blockhash: null });
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const treesNamed = async (method: string, params: object): Promise<readonly string[]> => {
  const reader = openSqliteReader({ file: join(folder, "index.db") });
  const settings = createMethodSettings({ apiVersion: "0.0.0", assetCommitment: "finalized" });
  const request = new CallRequest({ viewSource: reader, settings });
  try {
    await callMethod(method, params, request).catch((error: unknown) => {
      expect((error as { code: string }).code).toBe("ASSET__NOT_FOUND");
    });
    return request.incompleteTrees();
  } finally {
    request.close();
    reader.close();
  }
};

const programId = programAddresses.token;

describe("an answer that no missing leaf could change names no tree", () => {
  test.each([
    ["getAccountInfo", [address(cut.address)]],
    ["getAccountInfo", [address(unknown)]],
    ["getTokenSupply", [address(plain)]],
    ["getLargestAccounts", {}],
    ["getTokenAccountsByDelegate", [address(key(61)), { programId: address(programId) }]],
    ["getAsset", { id: address(core) }],
    ["getAsset", { id: address(master) }],
    ["getAsset", { id: address(whole.idOf(0)) }],
    ["getNftEditions", { mint: address(master) }],
  ])("%s %o", async (method, params) => {
    expect(await treesNamed(method, params)).toEqual([]);
  });
});

describe("an answer that a missing leaf could change names its tree", () => {
  test.each([
    ["getAsset", { id: address(cut.idOf(0)), config: { showFungible: true } }],
    ["getAsset", { id: address(cut.idOf(0)) }],
    ["getAsset", { id: address(cut.idOf(1)) }],
    ["getAsset", { id: address(unknown) }],
    ["getNftEditions", { mint: address(unknown) }],
  ])("%s %o", async (method, params) => {
    expect(await treesNamed(method, params)).toEqual(cutTree);
  });
});

describe("a search", () => {
  const ownerAddress = address(owner);
  test.each([
    {},
    { ownerAddress },
    { ownerAddress, ownerType: "single" },
    { compressed: true },
    { compressed: false, negate: true },
    { interface: "V1_NFT", burnt: true },
    { tokenType: "all" },
    { tokenType: "nonFungible" },
    { tokenType: "compressedNft", conditionType: "any", compressed: false },
    { compressed: false, burnt: false, conditionType: "any" },
    { compressed: true, burnt: true, negate: true },
    { tree: address(cut.address) },
    { tree: address(whole.address), negate: true },
    { grouping: ["collection", address(core)] },
    { supply: 1 },
    { interface: "MplCoreAsset", negate: true },
  ])("that admits compressed assets names the tree: %o", async (params) => {
    expect(await treesNamed("searchAssets", params)).toEqual(cutTree);
  });

  test.each([
    { negate: true },
    { ownerAddress, ownerType: "token" },
    { ownerType: "token" },
    { compressed: false },
    { compressed: true, negate: true },
    { compressed: true, burnt: true, conditionType: "any", negate: true },
    { interface: "MplCoreAsset", ownerAddress },
    { interface: "ProgrammableNFT", tokenType: "fungible", conditionType: "any" },
    { tokenType: "regularNft" },
    { tree: address(whole.address) },
    { tree: address(cut.address), negate: true },
    { grouping: ["group", address(core)] },
    { supply: 7 },
    { supplyMint: address(plain) },
    { compressible: true },
  ])("that excludes them names none: %o", async (params) => {
    expect(await treesNamed("searchAssets", params)).toEqual([]);
  });
});

test("trees of other authorities are not incomplete", () => {
  const reader = openSqliteReader({ file: join(folder, "index.db") });
  const view = reader.openView("finalized");
  if (view instanceof Promise) throw new Error("SQLite answers at once");
  expect(view.incompleteTrees.map(({ tree }) => tree)).toEqual(cutTree);
  expect(view.read(reads.isTreeIncomplete(cut.address))).toBe(true);
  expect(view.read(reads.isTreeIncomplete(whole.address))).toBe(false);
  view.close();
  reader.close();
});
