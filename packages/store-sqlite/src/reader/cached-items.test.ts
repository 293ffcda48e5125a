import {
  answerCall,
  type Asset,
  contentText,
  createMethodSettings,
  emptyChangeSet,
  type Ordinal,
  RequestViews,
} from "@lamplight/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFile } from "../../test/temporary-file.ts";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { openSqliteReader, type SqliteReader } from "./open-sqlite-reader.ts";

// What pages show is tested in tools/store-conformance.

type Store = ReturnType<typeof openSqliteStore>;

let store: Store;
let reader: SqliteReader;
let remove: () => void;
beforeEach(async () => {
  const place = temporaryFile();
  ({ remove } = place);
  store = openSqliteStore({ file: place.file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  reader = openSqliteReader({ file: place.file });
});
afterEach(async () => {
  reader.close();
  await store.close();
  remove();
});

const uriOf = (index: number): string => `https://a.test/${index}.json`;

const assetOf = (index: number, name = "n"): Asset => {
  const id = new Uint8Array(32);
  new DataView(id.buffer).setUint32(0, index);
  const content = contentText({ jsonUri: uriOf(index), name, symbol: "S", tokenStandard: null });
  return {
    id,
    interface: "V1_NFT",
    ownerModel: "single",
    assetOwner: null,
    delegate: null,
    authority: null,
    supply: 1n,
    supplyMint: null,
    royaltyModel: "creators",
    basisPoints: 0,
    creators: [],
    groups: [],
    inherits: null,
    compressed: false,
    compressible: false,
    frozen: false,
    burnt: false,
    mutable: true,
    name,
    jsonUri: uriOf(index),
    tree: null,
    leafIndex: null,
    createdSlot: 1,
    updatedSlot: 1,
    document: `{"interface":"V1_NFT","id":"${index}","content":${content},"mutable":true}`,
    extras: null,
  };
};

const commit = async (slot: number, assets: readonly Asset[]): Promise<readonly Ordinal[]> => {
  const watermark = { slot, blockhash: null };
  return (await store.commit({ ...emptyChangeSet, watermark, assets })).ordinals;
};

const write = (index: number, json: string | null): Promise<void> =>
  Promise.resolve(
    store.offchain!.writeRows([
      {
        uri: uriOf(index),
        status: json === null ? "failed" : "ok",
        json,
        sha256: null,
        etag: null,
        lastModified: null,
        immutable: false,
        firstSeenMs: 1,
        fetchedMs: null,
        dueMs: null,
        attempts: 0,
        lastError: null,
      },
    ]),
  );

/** Twice: what is read once is not cached. */
const readPage = async (): Promise<void> => {
  const views = new RequestViews(reader);
  const settings = createMethodSettings({ apiVersion: "0" });
  for (let time = 0; time < 2; time += 1)
    await answerCall("searchAssets", { limit: 1000 }, { views, profile: "spec", settings });
  views.close();
};

/** Which of some assets a new view finds in the cache; null = it gets none. */
const cachedOf = async (ordinals: readonly Ordinal[]): Promise<readonly boolean[] | null> => {
  const view = await reader.openView("finalized");
  try {
    const items = await view.assets.itemCache!(ordinals);
    return items === null ? null : ordinals.map((ordinal) => items.find(ordinal) !== undefined);
  } finally {
    view.close();
  }
};

test("forgets the items whose asset or document changed, and no other", async () => {
  const ordinals = await commit(
    1,
    [0, 1, 2, 3].map((index) => assetOf(index)),
  );
  await readPage();
  // Without documents there is nothing to join.
  expect(await cachedOf(ordinals)).toBeNull();
  await write(0, '{"description":"a"}');
  await write(2, '{"description":"b"}');
  expect(await cachedOf(ordinals)).toEqual([false, false, false, false]);
  await readPage();
  expect(await cachedOf(ordinals)).toEqual([true, true, true, true]);
  await commit(2, [assetOf(1, "new")]);
  expect(await cachedOf(ordinals)).toEqual([true, false, true, true]);
  await write(0, '{"description":"c"}');
  await write(3, '{"description":"d"}');
  expect(await cachedOf(ordinals)).toEqual([false, false, true, false]);
  await readPage();
  await write(0, null);
  expect(await cachedOf(ordinals)).toEqual([false, true, true, true]);
});

test("keeps items when a document is requested again and says the same", async () => {
  const ordinals = await commit(1, [assetOf(0), assetOf(1)]);
  await write(0, '{"description":"a"}');
  await write(1, null);
  await readPage();
  await write(0, '{"description":"a"}');
  await write(1, null);
  await commit(2, []);
  expect(await cachedOf(ordinals)).toEqual([true, true]);
});

test("tells a view that is older than the cache nothing, nor takes anything from it", async () => {
  const ordinals = await commit(1, [assetOf(0), assetOf(1)]);
  await write(0, '{"description":"a"}');
  const older = await reader.openView("finalized");
  const itemsOfOlder = (await older.assets.itemCache!(ordinals))!;
  const offer = (): void => itemsOfOlder.add(ordinals[0]!, Buffer.from("old"), 0, 3);
  offer();
  offer();
  expect(itemsOfOlder.find(ordinals[0]!)?.size).toBe(3);
  await commit(2, [assetOf(0, "new")]);
  expect(await cachedOf(ordinals)).toEqual([false, false]);
  expect(await older.assets.itemCache!(ordinals)).toBeNull();
  offer();
  expect(itemsOfOlder.find(ordinals[0]!)).toBeUndefined();
  expect(await cachedOf(ordinals)).toEqual([false, false]);
  older.close();
});

test("forgets all where more changed than is looked up", async () => {
  const many = Array.from({ length: 4200 }, (_, index) => assetOf(index));
  const ordinals = await commit(1, many);
  await write(0, '{"description":"a"}');
  await readPage();
  const isCached = async (): Promise<boolean> => (await cachedOf(ordinals))!.includes(true);
  await commit(2, many.slice(100, 4100));
  expect(await isCached()).toBe(true);
  await commit(3, many.slice(1));
  expect(await isCached()).toBe(false);
});
