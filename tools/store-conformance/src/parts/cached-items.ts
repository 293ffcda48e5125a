import {
  answerCall,
  type Asset,
  contentText,
  createMethodSettings,
  type OffchainRow,
  type Ordinal,
  type ReadView,
  CallRequest,
  reads,
} from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { assetOf } from "../chain/assets.ts";
import { offchainRow } from "../chain/offchain-rows.ts";
import { type CreateStore, slotOf, type StoreUnderTest, withStore, withView } from "../store-under-test.ts";

// The content of pages is tested with the off-chain documents.

const uriOf = (index: number): string => `https://a.test/${index}.json`;

const assetAt = (index: number, name = "n"): Asset => {
  const jsonUri = uriOf(index);
  const content = contentText({ jsonUri, name, symbol: "S", tokenStandard: null });
  const document = `{"interface":"V1_NFT","id":"${index}","content":${content},"mutable":true}`;
  return assetOf(index, { name, jsonUri, document });
};

const assetsFrom = (from: number, to: number, name?: string): readonly Asset[] =>
  Array.from({ length: to - from }, (_, index) => assetAt(from + index, name));

const commit = async (
  { store }: StoreUnderTest,
  slot: number,
  assets: readonly Asset[],
): Promise<readonly Ordinal[]> => (await store.commit(slotOf(slot, { assets }))).ordinals;

const rowOf = (index: number, description: string | null): OffchainRow =>
  offchainRow(uriOf(index), {
    status: description === null ? "failed" : "ok",
    json: description === null ? null : JSON.stringify({ description }),
    dueMs: null,
  });

const write = async ({ store }: StoreUnderTest, ...rows: readonly OffchainRow[]): Promise<void> => {
  await store.offchain!.writeRows(rows);
};

/** Twice: what is read once is not cached. */
export const readPageTwice = async ({ reader }: Pick<StoreUnderTest, "reader">): Promise<void> => {
  const settings = createMethodSettings({ apiVersion: "0" });
  const request = new CallRequest({ viewSource: reader, settings });
  for (let time = 0; time < 2; time += 1) await answerCall("searchAssets", { limit: 1000 }, request);
  request.close();
};

/** The assets that a view finds in the cache; null = it gets none. */
const cachedIn = async (view: ReadView, ordinals: readonly Ordinal[]): Promise<readonly boolean[] | null> => {
  const items = (await view.read(reads.itemCache(ordinals))) ?? null;
  return items === null ? null : ordinals.map((ordinal) => items.find(ordinal) !== undefined);
};

/** The same of a new view. */
export const cachedOf = (
  under: Pick<StoreUnderTest, "reader">,
  ordinals: readonly Ordinal[],
): Promise<readonly boolean[] | null> =>
  withView(under as StoreUnderTest, (view) => cachedIn(view, ordinals));

export const describeCachedItems = (create: CreateStore): void => {
  const withWhole = (body: (under: StoreUnderTest) => Promise<void>): Promise<void> =>
    withStore(create, async (under) => {
      await under.store.writeCoverage({ kind: "whole" });
      await body(under);
    });

  describe("cached items of pages", () => {
    test("are forgotten where an asset or its document changed, and nowhere else", () =>
      withWhole(async (under) => {
        const ordinals = await commit(under, 1, assetsFrom(0, 4));
        await write(under, rowOf(0, "a"), rowOf(2, "b"));
        expect(await cachedOf(under, ordinals)).toEqual([false, false, false, false]);
        await readPageTwice(under);
        expect(await cachedOf(under, ordinals)).toEqual([true, true, true, true]);
        await commit(under, 2, [assetAt(1, "new")]);
        expect(await cachedOf(under, ordinals)).toEqual([true, false, true, true]);
        await write(under, rowOf(0, "c"), rowOf(3, "d"));
        expect(await cachedOf(under, ordinals)).toEqual([false, false, true, false]);
        await readPageTwice(under);
        await write(under, rowOf(0, null));
        expect(await cachedOf(under, ordinals)).toEqual([false, true, true, true]);
      }));

    test("are none of an asset that was removed and came back", () =>
      withWhole(async (under) => {
        await commit(under, 1, assetsFrom(0, 3));
        await write(under, rowOf(0, "a"));
        await readPageTwice(under);
        for (const [index, slot] of [
          [0, 2],
          [2, 4],
          [1, 6],
        ] as const) {
          await under.store.commit(slotOf(slot, { assetsRemoved: [assetAt(index).id] }));
          const again = await commit(under, slot + 1, [assetAt(index, `at ${slot}`)]);
          expect(await cachedOf(under, again)).toEqual([false]);
          await readPageTwice(under);
          expect(await cachedOf(under, again)).toEqual([true]);
        }
      }));

    test("stay when a document is requested again and says the same", () =>
      withWhole(async (under) => {
        const ordinals = await commit(under, 1, assetsFrom(0, 2));
        await write(under, rowOf(0, "a"), rowOf(1, null));
        await readPageTwice(under);
        await write(under, rowOf(0, "a"), rowOf(1, null));
        await commit(under, 2, []);
        expect(await cachedOf(under, ordinals)).toEqual([true, true]);
      }));

    test("tell a view that is older than the cache nothing, and come from none", () =>
      withWhole(async (under) => {
        const ordinals = await commit(under, 1, assetsFrom(0, 2));
        await write(under, rowOf(0, "a"));
        const older = await under.reader.openView("finalized");
        const itemsOfOlder = (await older.read(reads.itemCache(ordinals)))!;
        const offer = (): void => itemsOfOlder.add(ordinals[0]!, Buffer.from("old"), 0, 3);
        offer();
        offer();
        expect(itemsOfOlder.find(ordinals[0]!)?.size).toBe(3);
        await commit(under, 2, [assetAt(0, "new")]);
        expect(await cachedOf(under, ordinals)).toEqual([false, false]);
        expect(await older.read(reads.itemCache(ordinals))).toBeNull();
        offer();
        expect(itemsOfOlder.find(ordinals[0]!)).toBeUndefined();
        expect(await cachedOf(under, ordinals)).toEqual([false, false]);
        older.close();
      }));

    test("are all forgotten where more changed than is looked up", () =>
      withWhole(async (under) => {
        const ordinals = await commit(under, 1, assetsFrom(0, 4200));
        await write(under, rowOf(0, "a"));
        await readPageTwice(under);
        const isCached = async (): Promise<boolean> => (await cachedOf(under, ordinals))!.includes(true);
        await commit(under, 2, assetsFrom(100, 4100, "b"));
        expect(await isCached()).toBe(true);
        await commit(under, 3, assetsFrom(1, 4200, "c"));
        expect(await isCached()).toBe(false);
      }));

    test("are all forgotten where more documents changed than are looked up, though no asset names them", () =>
      withWhole(async (under) => {
        const ordinals = await commit(under, 1, assetsFrom(0, 4));
        await write(under, rowOf(0, "a"));
        await readPageTwice(under);
        const documents = (count: number, description: string): readonly OffchainRow[] =>
          Array.from({ length: count }, (_, index) => rowOf(1000 + index, description));
        await write(under, ...documents(4000, "b"));
        expect(await cachedOf(under, ordinals)).toEqual([true, true, true, true]);
        await write(under, ...documents(4200, "c"));
        expect(await cachedOf(under, ordinals)).toEqual([false, false, false, false]);
      }));

    test("are all forgotten where one document changed that more assets name than are looked up", () =>
      withWhole(async (under) => {
        const assets = assetsFrom(0, 4600).map((asset, index) => ({
          ...asset,
          jsonUri: uriOf(index % 40 === 0 ? 1 : 0),
        }));
        const ordinals = await commit(under, 1, assets);
        await write(under, rowOf(0, "a"), rowOf(1, "a"));
        const isCached = async (): Promise<boolean> => (await cachedOf(under, ordinals))!.includes(true);
        await readPageTwice(under);
        await write(under, rowOf(1, "b"));
        expect(await isCached()).toBe(true);
        await readPageTwice(under);
        await write(under, rowOf(0, "b"));
        expect(await isCached()).toBe(false);
      }));

    test("are right for views that move the cache on at the same time", () =>
      withWhole(async (under) => {
        const ordinals = await commit(under, 1, assetsFrom(0, 40));
        await write(under, rowOf(0, "a"));
        for (let slot = 2; slot < 12; slot += 1) {
          await readPageTwice(under);
          const first = await under.reader.openView("finalized");
          await commit(under, slot, [assetAt(slot, `at ${slot}`)]);
          const second = await under.reader.openView("finalized");
          await write(under, rowOf(slot + 20, `at ${slot}`));
          const third = await under.reader.openView("finalized");
          const [ofSecond, ofThird, ofFirst] = await Promise.all(
            [second, third, first].map((view) => cachedIn(view, ordinals)),
          );
          expect(ofFirst?.every(Boolean) ?? true).toBe(true);
          for (const found of [ofSecond, ofThird]) expect(found?.[slot] ?? false).toBe(false);
          expect(ofThird?.[slot + 20] ?? false).toBe(false);
          for (const view of [first, second, third]) view.close();
          const now = (await cachedOf(under, ordinals))!;
          expect(now.flatMap((isCached, index) => (isCached ? [] : [index]))).toEqual([slot, slot + 20]);
        }
      }));
  });
};
