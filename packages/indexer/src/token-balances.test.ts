// Tests of a wallet's fungible tokens in `searchAssets`, over a real store and in memory.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import {
  type Account,
  callMethod,
  type Coverage,
  createMethodSettings,
  parseExact,
  CallRequest,
  type ViewSource,
} from "@lamplight/core";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closedAt, key, metadata, mint, tokenAccount } from "../test/encode-accounts.ts";
import { createIndexer } from "./indexer.ts";

const [wallet, other, sand, salt, empty] = [key(1), key(2), key(11), key(12), key(13)];
const U64_MAX = 2n ** 64n - 1n;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-balances-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface StoreSetup {
  readonly coverage?: Coverage;
  readonly holdings?: boolean;
  /** Applied one after another; each is one slot. */
  readonly slots: readonly (readonly Account[])[];
}

/** Runs `body` over a new store with these accounts. */
const withStore = async (
  { slots, coverage = { kind: "whole" }, holdings = true }: StoreSetup,
  body: (reader: ViewSource) => Promise<void>,
): Promise<void> => {
  const file = join(folder, "index.db");
  const store = openSqliteStore({ file, mode: "write", holdings });
  await store.writeCoverage(coverage);
  for (const [index, accounts] of slots.entries())
    await createIndexer(store).applyAccounts(accounts, { slot: index + 1, blockhash: null });
  const reader = openSqliteReader({ file });
  try {
    await body(reader);
  } finally {
    reader.close();
    await store.close();
  }
};

interface Item {
  readonly id: string;
  readonly token_info?: Readonly<Record<string, unknown>>;
}

const search = async (reader: ViewSource, params: object): Promise<readonly Item[]> => {
  const settings = createMethodSettings({ apiVersion: "0.0.0", assetCommitment: "finalized" });
  const request = new CallRequest({ viewSource: reader, settings });
  try {
    const asked = { ownerAddress: encodeAddress(wallet), options: { showFungible: true }, ...params };
    const text = await callMethod("searchAssets", asked, request);
    return (parseExact(String(text)) as unknown as { readonly items: readonly Item[] }).items;
  } finally {
    request.close();
  }
};

const infoOf = (items: readonly Item[], id: Uint8Array): unknown =>
  items.find((item) => item.id === encodeAddress(id))?.token_info;

const mintAt = (address: Uint8Array, supply: bigint): Account => mint(address, 1, { supply, decimals: 6 });

const held = (address: number, of: Uint8Array, amount: bigint, owner = wallet): Account =>
  tokenAccount(key(address), 1, { mint: of, owner, amount });

test("a balance is the sum of the wallet's token accounts, with the largest of them", () =>
  withStore(
    {
      slots: [
        [
          mintAt(sand, U64_MAX),
          mintAt(salt, 9n),
          mintAt(empty, 5n),
          held(30, sand, 7n),
          held(31, sand, U64_MAX - 100n),
          held(32, sand, 93n, other),
          held(34, salt, 3n),
          held(33, salt, 3n),
          held(35, salt, 0n),
          held(36, empty, 0n),
        ],
      ],
    },
    async (reader) => {
      const items = await search(reader, { options: { showFungible: true, showZeroBalance: true } });
      expect(infoOf(items, sand)).toMatchObject({
        supply: U64_MAX,
        balance: U64_MAX - 93n,
        token_account: encodeAddress(key(31)),
        token_accounts: 2,
      });
      // Equal amounts: the lowest address. Empty accounts count.
      expect(infoOf(items, salt)).toMatchObject({
        balance: 6,
        token_account: encodeAddress(key(33)),
        token_accounts: 3,
      });
      expect(infoOf(items, empty)).toMatchObject({
        balance: 0,
        token_account: encodeAddress(key(36)),
        token_accounts: 1,
      });
      expect(await search(reader, {})).toHaveLength(2);
    },
  ));

test("an asset that another criterion found has the balance 0", () =>
  withStore(
    { slots: [[mintAt(sand, 1n), mintAt(salt, 1n), held(30, sand, 1n), held(31, salt, 1n, other)]] },
    async (reader) => {
      const any = await search(reader, { conditionType: "any", tokenType: "fungible" });
      expect(infoOf(any, sand)).toMatchObject({ balance: 1, token_accounts: 1 });
      expect(infoOf(any, salt)).toMatchObject({ balance: 0, token_accounts: 0 });
      expect(infoOf(any, salt)).not.toHaveProperty("token_account");
      const others = await search(reader, { negate: true });
      expect(others.map(({ id }) => id)).toEqual([encodeAddress(salt)]);
      expect(infoOf(others, salt)).toMatchObject({ balance: 0 });
    },
  ));

test("documents stay as they are without ownerAddress and without showFungible", () =>
  withStore({ slots: [[mintAt(sand, 1n), held(30, sand, 1n)]] }, async (reader) => {
    const [plain] = await search(reader, { options: {} });
    expect(plain).not.toHaveProperty("token_info");
    const [shown] = await search(reader, { ownerAddress: undefined, tokenType: "fungible" });
    expect(Object.keys(shown!.token_info!)).toEqual(["supply", "decimals", "token_program"]);
  }));

test("all token accounts count, however many there are", () => {
  // Addresses beyond the first page of a mint, with the largest amount last.
  const many = Array.from({ length: 1300 }, (_, index) => {
    const address = key(40);
    new DataView(address.buffer).setUint32(4, index);
    return tokenAccount(address, 1, { mint: sand, owner: wallet, amount: BigInt(index) });
  });
  return withStore(
    { slots: [[mintAt(sand, U64_MAX), mintAt(salt, 5n), held(30, salt, 5n), ...many]] },
    async (reader) => {
      const items = await search(reader, {});
      expect(infoOf(items, sand)).toMatchObject({
        balance: (1299 * 1300) / 2,
        token_account: encodeAddress(many.at(-1)!.address),
        token_accounts: 1300,
      });
      expect(infoOf(items, salt)).toMatchObject({ balance: 5, token_accounts: 1 });
    },
  );
});

test("a closed token account and one that changed hands no longer count", () =>
  withStore(
    {
      slots: [
        [mintAt(sand, 9n), held(30, sand, 1n), held(31, sand, 2n), held(32, sand, 4n)],
        [closedAt(held(31, sand, 2n), 2), { ...held(32, sand, 4n, other), slot: 2 }],
      ],
    },
    async (reader) => {
      expect(infoOf(await search(reader, {}), sand)).toMatchObject({ balance: 1, token_accounts: 1 });
    },
  ));

test("a store without holdings refuses, whatever is on the page", () =>
  withStore({ holdings: false, slots: [[mintAt(sand, 1n), held(30, sand, 1n)]] }, async (reader) => {
    for (const params of [{}, { ownerType: "single" }, { ownerType: "single", burnt: true }])
      await expect(search(reader, params)).rejects.toMatchObject({ code: "STORE__NOT_COVERED" });
  }));

test("a store that may lack token accounts of the wallet refuses", async () => {
  const collection = key(9);
  const covers = { kind: "filtered", programs: [], owners: [], mints: [], collections: [] } as const;
  const member = metadata(1, {
    mint: sand,
    standard: 2,
    collection: { verified: true, address: collection },
  });
  const slots = [[mintAt(sand, 1n), held(30, sand, 1n), member]];
  const grouping = ["collection", encodeAddress(collection)];
  const searchOver = async (sets: object): Promise<readonly Item[]> => {
    let items: readonly Item[] = [];
    const coverage = { ...covers, collections: [encodeAddress(collection)], ...sets };
    await withStore({ slots, coverage }, async (reader) => void (items = await search(reader, { grouping })));
    return items;
  };
  await expect(searchOver({})).rejects.toMatchObject({ code: "STORE__NOT_COVERED" });
  for (const sets of [
    { owners: [encodeAddress(wallet)] },
    { mints: [encodeAddress(sand)] },
    { programs: [encodeAddress(programAddresses.token)] },
  ]) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    expect(infoOf(await searchOver(sets), sand)).toMatchObject({ balance: 1 });
  }
});
