import { openReused, reusedStores } from "@lamplight/postgres-test";
import {
  type CopySetup,
  describeSearchConformance,
  describeStoreConformance,
  type StoreUnderTest,
} from "@lamplight/store-conformance";
import { openShardsExport } from "../src/copy/open-shards-export.ts";
import { openShardsImport } from "../src/copy/open-shards-import.ts";
import { openShardsDocuments } from "../src/documents/open-shards-documents.ts";
import { openShardsReader } from "../src/reader/open-shards-reader.ts";
import { openShardsStore, openShardsStoreWith } from "../src/writer/open-shards-store.ts";
import { SettleBetweenViews } from "./settle-between-views.ts";

/** A slot takes a transaction in each database: `npm test` searches few worlds. */
const searchRuns = Number(process.env["LAMPLIGHT_SEARCH_RUNS"] ?? 6);

const openBetweenViews = async (url: string): Promise<StoreUnderTest> => {
  const between = new SettleBetweenViews();
  const options = { url, mode: "write", holdBackMs: 0 } as const;
  const store = await openShardsStoreWith(options, (settling) => between.settling(settling));
  const reader = await openShardsReader({ url, sessionsMax: 8 });
  return {
    store,
    reader: between.reading(reader),
    openDocuments: async () => {
      const documents = await openShardsDocuments(url);
      const { readAssetsChangedSince } = documents;
      return {
        ...documents,
        // The list is of rows that every shard has.
        readAssetsChangedSince: async (changeSeq, limit) => {
          await store.settle();
          return readAssetsChangedSince(changeSeq, limit);
        },
      };
    },
    close: async () => {
      reader.close();
      await store.close();
    },
  };
};

const openHeldBack = async (url: string): Promise<StoreUnderTest> => {
  const store = await openShardsStore({ url, mode: "write", holdBackMs: 600_000 });
  const reader = await openShardsReader({ url, sessionsMax: 8 });
  return {
    store,
    reader,
    close: async () => {
      reader.close();
      await store.close();
    },
  };
};

/**
 * The whole conformance, with rows that are written between views, and its searches, with rows held back.
 *
 * @param newStore - a place where nothing was
 */
export const describeConformance = (newStore: () => string): void => {
  const stores = reusedStores(newStore, async (url) => {
    const store = await openShardsStore({ url, mode: "write" });
    await store.close();
  });
  const copy: CopySetup = {
    createLocation: async () => newStore(),
    openStore: (url) => openShardsStore({ url, mode: "write" }),
    open: openBetweenViews,
    openExport: openShardsExport,
    openImport: (url, holdings) => openShardsImport({ url, holdings }),
  };

  describeStoreConformance(
    "shards, rows written between views",
    () => openReused(stores, openBetweenViews),
    undefined,
    copy,
    { cachesItems: false, keepsHolders: false, keepsNextSet: false, searchRuns },
  );
  describeSearchConformance("shards, rows held back", () => openReused(stores, openHeldBack), { searchRuns });
};
