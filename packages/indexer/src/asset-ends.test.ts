// Every line of ASSET-ENDS.md: once followed from before the end, once in a store that never saw
// the asset alive, filled by account updates and in bulk.

import { encodeAddress } from "@lamplight/codecs";
import { type Account, type Asset, type Commitment, parseExact, reads } from "@lamplight/core";
import { openSqliteReader } from "@lamplight/store-sqlite";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AssetEnd, END, id, LIFE, type Shown } from "../test/asset-end.ts";
import { assetEnds, heldByEdition, inSlot, newestOf } from "../test/asset-ends.ts";
import { ofIssuer, ofManager } from "../test/token-2022-ends.ts";
import { deriveInBulk } from "../test/derive-in-bulk.ts";
import { closedAt, key, masterEdition, metadata, mint } from "../test/encode-accounts.ts";
import { indexContent } from "../test/index-content.ts";
import { openTestStore, type TestStore } from "../test/open-test-store.ts";
import { createIndexer } from "./indexer.ts";
import { ForkOverlay } from "./overlay/fork-overlay.ts";

const ROOT = 10;
const alice = key(50);

let opened: TestStore;
beforeEach(() => {
  opened = openTestStore();
});
afterEach(() => opened.close());

const shownIn = (document: string | undefined): Shown | null => {
  if (document === undefined) return null;
  const asset = parseExact(document) as {
    readonly interface: string;
    readonly burnt: boolean;
    readonly content: { readonly metadata: { readonly name: string } };
    readonly ownership: { readonly owner: string };
  };
  const { interface: assetInterface, burnt, content, ownership } = asset;
  return { interface: assetInterface, burnt, name: content.metadata.name, owner: ownership.owner };
};

/** The stored row without its place in the store; null = no asset. */
const storedAsset = async (asset: Uint8Array): Promise<Asset | null> => {
  const page = await opened.store.readAssetPage(0, 100);
  const found = page.find((one) => Buffer.compare(one.id, asset) === 0);
  if (found === undefined) return null;
  const { ordinal: _, ...row } = found;
  return row;
};

describe("how assets end, followed from before", () => {
  test.each(assetEnds)("$what", async ({ id: asset = id, life, end, followed }) => {
    await createIndexer(opened.store).applyAccounts([], { slot: ROOT, blockhash: null });
    const reader = openSqliteReader({ file: opened.file });
    try {
      const overlay = await ForkOverlay.open({ store: opened.store, viewSource: reader });
      await overlay.add({ slot: LIFE, parent: ROOT, blockhash: null, ...inSlot(LIFE, life) });
      await overlay.add({ slot: END, parent: LIFE, blockhash: null, ...inSlot(END, end) });
      const shownAt = async (commitment: Commitment): Promise<Shown | null> => {
        const view = await overlay.openView(commitment);
        try {
          return shownIn((await view.read(reads.ownAsset(asset)))?.document);
        } finally {
          view.close();
        }
      };
      expect(await shownAt("processed")).toEqual(followed);
      await overlay.finalize(END);
      expect(await shownAt("finalized")).toEqual(followed);
    } finally {
      reader.close();
    }
  });
});

describe("how assets end, in a store that sees only what is left", () => {
  test.each(assetEnds)("$what", async (one) => {
    const { id: asset = id, end, fresh } = one;
    const accounts = newestOf(one);
    const { transactions } = inSlot(END, end);
    const watermark = { slot: END, blockhash: null };
    await createIndexer(opened.store).apply({ accounts, transactions, watermark });
    const loaded = await storedAsset(asset);
    expect(shownIn(loaded?.document)).toEqual(fresh);
    if (transactions.length > 0) return;
    const bulk = deriveInBulk(accounts).find((derived) => Buffer.compare(derived.id, asset) === 0);
    expect(bulk ?? null).toEqual(loaded);
  });
});

const accountsOf = ({ life, end }: AssetEnd) => [
  ...inSlot(LIFE, life).accounts,
  ...inSlot(END, end).accounts,
];

const contentAfter = async (accounts: readonly Account[]): Promise<string> => {
  const store = openTestStore();
  try {
    const indexer = createIndexer(store.store);
    for (const account of accounts) await indexer.applyAccounts([account], { slot: END, blockhash: null });
    return await indexContent(store.store);
  } finally {
    await store.close();
  }
};

describe("how assets end, in any order of arrival", () => {
  test.each(assetEnds.filter((end) => accountsOf(end).length > 1))("$what", async (end) => {
    const accounts = accountsOf(end);
    const expected = await contentAfter(accounts);
    const anyOrder = fc.shuffledSubarray(accounts, { minLength: accounts.length });
    await fc.assert(
      fc.asyncProperty(anyOrder, async (order) => {
        expect(await contentAfter([...order, ...order.slice(0, 1)])).toBe(expected);
      }),
      { numRuns: 3 },
    );
  });
});

describe("a mint that is created again at the address of a closed one", () => {
  const collection = { verified: true, address: key(70) };
  const former = [
    mint(id, LIFE, { extensions: [], ...heldByEdition }),
    metadata(LIFE, { mint: id, collection, creators: [[alice, true, 100]] }),
    masterEdition(id, LIFE, 3n, 10n),
  ];
  const closed = former.map((account) => closedAt(account, END));
  const again = [
    ["a single unit", mint(id, END + 1, { extensions: [] }), "V1_NFT"],
    [
      "a fungible without supply",
      mint(id, END + 1, { extensions: [], supply: 0n, decimals: 6 }),
      "FungibleToken",
    ],
    ["a fungible", mint(id, END + 1, { extensions: [], supply: 500n, decimals: 2 }), "FungibleToken"],
    [
      "a mint without its first unit",
      mint(id, END + 1, { extensions: [], supply: 0n, mintAuthority: alice }),
      "FungibleToken",
    ],
  ] as const;

  test.each(again)("is %s with a life of its own", async (_what, second, assetInterface) => {
    const indexer = createIndexer(opened.store);
    await indexer.applyAccounts([...former, ...closed], { slot: END, blockhash: null });
    expect(shownIn((await opened.findAsset(encodeAddress(id)))?.document)).toMatchObject({
      interface: "V1_NFT",
      burnt: true,
      name: "Name",
    });
    await indexer.applyAccounts([second], { slot: END + 1, blockhash: null });
    const stored = await storedAsset(id);
    expect(stored?.document).toBe(deriveInBulk([second])[0]?.document);
    expect(parseExact(stored?.document ?? "")).toMatchObject({
      interface: assetInterface,
      grouping: [],
      creators: [],
      authorities: [],
    });
    expect(stored).toMatchObject({ groups: [], creators: [] });
  });

  test("keeps a closed edition of the former out of the new one's numbers", async () => {
    const renewed = [mint(id, END + 1, { extensions: [] }), metadata(END + 1, { mint: id, standard: null })];
    const indexer = createIndexer(opened.store);
    await indexer.applyAccounts([...former, ...closed, ...renewed], { slot: END + 1, blockhash: null });
    expect((await opened.findAsset(encodeAddress(id)))?.document).toBe(deriveInBulk(renewed)[0]?.document);
  });
});

describe("a mint that passes through a supply of 1", () => {
  test.each([ofManager, ofIssuer])("is a fungible token as soon as it has a second unit", async (fields) => {
    const indexer = createIndexer(opened.store);
    for (const [step, supply] of [0n, 1n, 2n, 1000n].entries()) {
      const slot = LIFE + step;
      await indexer.applyAccounts([mint(id, slot, { ...fields, supply })], { slot, blockhash: null });
    }
    const stored = await opened.findAsset(encodeAddress(id));
    expect(shownIn(stored?.document)).toEqual({
      interface: "FungibleToken",
      burnt: false,
      name: "Own",
      owner: "",
    });
  });
});
