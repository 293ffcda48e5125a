import type { OffchainRow, OffchainStore } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { addressOf, compareAddresses } from "../chain/addresses.ts";
import { assetOf } from "../chain/assets.ts";
import { changes, type CreateStore, type StoreUnderTest, withStore } from "../store-under-test.ts";

const row = (uri: string, more: Partial<OffchainRow> = {}): OffchainRow => ({
  uri,
  status: "pending",
  json: null,
  sha256: null,
  etag: null,
  lastModified: null,
  immutable: false,
  firstSeenMs: 1,
  fetchedMs: null,
  dueMs: 1,
  attempts: 0,
  lastError: null,
  shown: true,
  ...more,
});

/** A row without an empty column. */
const full = row("https://a/1.json", {
  status: "ok",
  json: '{"big":18446744073709551615}',
  sha256: new Uint8Array(32).fill(7),
  etag: '"v"',
  lastModified: "today",
  immutable: true,
  firstSeenMs: 1_700_000_000_000,
  fetchedMs: 1_700_000_000_001,
  dueMs: 1_700_000_000_002,
  attempts: 3,
  lastError: "why",
  shown: false,
});

export const describeOffchain = (create: CreateStore): void => {
  const withOffchain = (
    body: (offchain: OffchainStore, under: StoreUnderTest) => Promise<void>,
  ): Promise<void> =>
    withStore(create, async (under) => {
      if (under.store.offchain === undefined) throw new Error("the store keeps no off-chain documents");
      await body(under.store.offchain, under);
    });

  describe("off-chain documents", () => {
    test("keeps every column, and replaces by URI", () =>
      withOffchain(async (offchain) => {
        await offchain.writeRows([row("https://a/1.json"), row("https://a/2.json")]);
        await offchain.writeRows([full]);
        expect(await offchain.readRows(["https://a/2.json", "https://a/none", "https://a/1.json"])).toEqual([
          row("https://a/2.json"),
          null,
          full,
        ]);
        expect(await offchain.readDocuments(["https://a/1.json", "https://a/2.json", "x"])).toEqual([
          full.json,
          null,
          null,
        ]);
        expect(await offchain.listUnshown(10)).toEqual([full]);
        expect(await offchain.countByStatus()).toMatchObject({ pending: 1, ok: 1, gone: 0 });
      }));

    test("lists what is due: the newest new ones first, then retries by their time", () =>
      withOffchain(async (offchain) => {
        await offchain.writeRows([
          row("retry-late", { fetchedMs: 1, dueMs: 9 }),
          row("retry-early", { fetchedMs: 1, dueMs: 5 }),
          row("not-yet", { fetchedMs: 1, dueMs: 11 }),
          row("done", { fetchedMs: 1, dueMs: null }),
          row("new-old", { firstSeenMs: 2 }),
          row("new-young", { firstSeenMs: 3 }),
        ]);
        const listed = ["new-young", "new-old", "retry-early", "retry-late"];
        for (const limit of [1, 2, 3, 10]) {
          const due = await offchain.listDue(10, limit);
          expect(due.map(({ uri }) => uri)).toEqual(listed.slice(0, limit));
        }
        expect(await offchain.findNextDue()).toBe(1);
      }));

    test("finds the assets that carry a URI, page by page, ascending by id", () =>
      withOffchain(async (offchain, { store }) => {
        const ids = ["a", "b", "c"].map(addressOf).toSorted(compareAddresses);
        const assets = ids.map((id, index) => assetOf(index, { id, jsonUri: "u" }));
        const other = assetOf("other", { jsonUri: "other" });
        await store.commit(changes({ assets: [...assets.toReversed(), other] }));
        const first = await offchain.listAssetsByUri("u", null, 2);
        expect(first).toEqual(ids.slice(0, 2));
        expect(await offchain.listAssetsByUri("u", first[1] ?? null, 2)).toEqual(ids.slice(2));
        expect(await offchain.listAssetsByUri("none", null, 2)).toEqual([]);
      }));

    test("remembers how far the assets' changes were noted", () =>
      withOffchain(async (offchain) => {
        expect(await offchain.readNotedSeq()).toBe(0);
        await offchain.writeNotedSeq(2 ** 40);
        expect(await offchain.readNotedSeq()).toBe(2 ** 40);
      }));

    test("an empty store has nothing due and no document", () =>
      withOffchain(async (offchain) => {
        expect(await offchain.findNextDue()).toBeNull();
        expect(await offchain.listDue(Number.MAX_SAFE_INTEGER, 5)).toEqual([]);
        expect(await offchain.readDocuments(["u", "u"])).toEqual([null, null]);
      }));
  });
};
