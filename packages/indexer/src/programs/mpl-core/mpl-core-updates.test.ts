// Core accounts through the engine and a real store: members follow their collection, in any order of arrival.

import { encodeAddress } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assetData, collectionData, coreAccount, key, type Plugin } from "../../../test/encode-core.ts";
import { indexContent } from "../../../test/index-content.ts";
import { type TestStore, withTestStore } from "../../../test/open-test-store.ts";
import { createIndexer } from "../../indexer.ts";
import { verifyAssets } from "../../verify/verify-assets.ts";

const id = key(1);
const first = key(2);
const second = key(3);
const watermark = { slot: 100, blockhash: null };

const royalties: Plugin = { type: 0, payload: [100, 0, 0, 0, 0, 0, 0] };

/** A life: minted into a collection that changes hands, moved to another, frozen there, burnt. */
const life: readonly Account[] = [
  coreAccount(first, collectionData(1), { slot: 1 }),
  coreAccount(id, assetData(first), { slot: 2 }),
  coreAccount(first, collectionData(2, [royalties], key(10)), { slot: 3 }),
  coreAccount(id, assetData(second), { slot: 4 }),
  coreAccount(second, collectionData(1, [{ type: 5, payload: [1] }], key(11)), { slot: 5 }),
  coreAccount(id, Uint8Array.of(0), { slot: 6 }),
];

interface Shown {
  readonly authorities: readonly { readonly address: string }[];
  readonly grouping: readonly { readonly group_value: string }[];
  readonly royalty: { readonly basis_points: number };
  readonly ownership: { readonly frozen: boolean; readonly owner: string };
  readonly burnt: boolean;
}

const show = async (store: TestStore, address = id): Promise<Shown> => {
  const asset = await store.findAsset(encodeAddress(address));
  return JSON.parse(asset?.document ?? "null") as Shown;
};

const contentAfter = (accounts: readonly Account[]): Promise<string> =>
  withTestStore(async (store) => {
    const indexer = createIndexer(store.store);
    for (const account of accounts) await indexer.applyAccounts([account], watermark);
    expect(await verifyAssets(store.store)).toMatchObject({ differing: 0 });
    return indexContent(store.store);
  });

describe("a Core asset's life", () => {
  test("shows at every step what is true then", async () => {
    await withTestStore(async (store) => {
      const indexer = createIndexer(store.store);
      const steps: Shown[] = [];
      for (const account of life) {
        await indexer.applyAccounts([account], watermark);
        steps.push(await show(store));
      }
      const collectionOf = (step: Shown | undefined): string | undefined => step?.grouping[0]?.group_value;
      const authorityOf = (step: Shown | undefined): string | undefined => step?.authorities[0]?.address;
      expect(steps[0]).toBeNull();
      expect(steps.slice(1).map(collectionOf)).toEqual(
        [first, first, second, second, second].map(encodeAddress),
      );
      expect(steps.slice(1).map(authorityOf)).toEqual([
        encodeAddress(key(9)),
        encodeAddress(key(10)),
        undefined,
        encodeAddress(key(11)),
        encodeAddress(key(11)),
      ]);
      expect(steps.slice(1).map((step) => step.royalty.basis_points)).toEqual([0, 100, 0, 0, 0]);
      expect(steps.slice(1).map((step) => step.ownership.frozen)).toEqual([false, false, false, true, true]);
      expect(steps.slice(1).map((step) => step.burnt)).toEqual([false, false, false, false, true]);
    });
  });

  test("a collection is held by its update authority, and follows it", async () => {
    await withTestStore(async (store) => {
      const indexer = createIndexer(store.store);
      await indexer.applyAccounts([life[0] as Account], watermark);
      expect((await show(store, first)).ownership.owner).toBe(encodeAddress(key(9)));
      await indexer.applyAccounts([life[2] as Account], watermark);
      expect((await show(store, first)).ownership.owner).toBe(encodeAddress(key(10)));
    });
  });

  const creator = [...key(20)];
  const paid: Plugin = { type: 0, payload: [100, 0, 1, 0, 0, 0, ...creator, 100, 0] };
  test.each<readonly [string, readonly Plugin[], readonly Plugin[], object]>([
    ["royalties", [], [paid], { royalty: { basis_points: 100 } }],
    ["a lasting freeze", [], [{ type: 5, payload: [1] }], { ownership: { frozen: true } }],
    [
      "the end of a freeze",
      [{ type: 5, payload: [1] }],
      [{ type: 5, payload: [0] }],
      { ownership: { frozen: false } },
    ],
    ["immutability", [], [{ type: 12 }], { mutable: false }],
    [
      "a creator's refusal",
      [paid],
      [paid, { type: 13, payload: [1, 0, 0, 0, ...creator, 0] }],
      { creators: [{ verified: false }] },
    ],
  ])("members take %s from their collection when that alone changes", async (_what, before, after, shown) => {
    await withTestStore(async (store) => {
      const indexer = createIndexer(store.store);
      await indexer.applyAccounts(
        [coreAccount(first, collectionData(1, before), { slot: 1 }), life[1] as Account],
        watermark,
      );
      expect(await show(store)).not.toMatchObject(shown);
      await indexer.applyAccounts([coreAccount(first, collectionData(1, after), { slot: 3 })], watermark);
      expect(await show(store)).toMatchObject(shown);
    });
  });

  test("a mint into a collection leaves its other members untouched", async () => {
    await withTestStore(async (store) => {
      const changed: string[] = [];
      const indexer = createIndexer(store.store, {
        onCommit: ({ assets }) => changed.push(...assets.map((asset) => encodeAddress(asset.id))),
      });
      await indexer.applyAccounts(life.slice(0, 2), watermark);
      changed.length = 0;
      await indexer.applyAccounts([coreAccount(first, collectionData(2), { slot: 9 })], watermark);
      expect(changed).toEqual([encodeAddress(first)]);
    });
  });

  test("ends the same in any order, with repetitions", async () => {
    const expected = await contentAfter(life);
    const arrivals = fc
      .tuple(
        fc.shuffledSubarray([...life], { minLength: life.length }),
        fc.array(fc.constantFrom(...life), { maxLength: 6 }),
      )
      .chain(([once, again]) =>
        fc.shuffledSubarray([...once, ...again], { minLength: once.length + again.length }),
      );
    await fc.assert(
      fc.asyncProperty(arrivals, async (accounts) => {
        expect(await contentAfter(accounts)).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });
});
