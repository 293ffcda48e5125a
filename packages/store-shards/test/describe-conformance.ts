import {
  type CopySetup,
  describeSearchConformance,
  describeStoreConformance,
  type StoreUnderTest,
} from "@lamplight/store-conformance";
import { openShardsExport } from "../src/copy/open-shards-export.ts";
import { openShardsImport } from "../src/copy/open-shards-import.ts";
import { openShardsReader } from "../src/reader/open-shards-reader.ts";
import { openShardsStore, openShardsStoreWith } from "../src/writer/open-shards-store.ts";
import { SettleBetweenViews } from "./settle-between-views.ts";
import type { TestStores } from "./test-stores.ts";

/** A store takes several databases or schemas: `npm test` searches few worlds. */
const searchRuns = Number(process.env["LAMPLIGHT_SEARCH_RUNS"] ?? 6);

const openBetweenViews = async (url: string): Promise<StoreUnderTest> => {
  const between = new SettleBetweenViews();
  const options = { url, mode: "write", holdBackMs: 0 } as const;
  const store = await openShardsStoreWith(options, (settling) => between.settling(settling));
  const reader = await openShardsReader({ url, sessionsMax: 8 });
  return {
    store,
    reader: between.reading(reader),
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

/** Opens one of these stores, which is given back when it is closed. */
const openOne = async (
  stores: TestStores,
  open: (url: string) => Promise<StoreUnderTest>,
): Promise<StoreUnderTest> => {
  const url = await stores.take();
  const under = await open(url);
  return {
    ...under,
    close: async () => {
      await under.close();
      await stores.giveBack?.(url);
    },
  };
};

/**
 * The whole conformance, with rows that are written between views, and its searches, with rows held back.
 *
 * @param newStore - a place where nothing was
 * @param stores - empty stores, by default each a new one
 */
export const describeConformance = (
  newStore: () => string,
  stores: TestStores = { take: newStore },
): void => {
  const copy: CopySetup = {
    createLocation: async () => newStore(),
    openStore: (url) => openShardsStore({ url, mode: "write" }),
    open: openBetweenViews,
    openExport: openShardsExport,
    openImport: (url, holdings) => openShardsImport({ url, holdings }),
  };

  describeStoreConformance(
    "shards, rows written between views",
    () => openOne(stores, openBetweenViews),
    undefined,
    copy,
    { cachesItems: false, keepsHolders: false, keepsNextSet: false, searchRuns },
  );
  describeSearchConformance("shards, rows held back", () => openOne(stores, openHeldBack), { searchRuns });
};
