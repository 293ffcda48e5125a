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

/**
 * The whole conformance, with rows that are written between views, and its searches, with rows held back.
 *
 * @param limits.copies - whether stores can be copied into such a store
 */
export const describeConformance = (
  newStore: () => string,
  { copies }: { readonly copies: boolean },
): void => {
  const openHeldBack = async (): Promise<StoreUnderTest> => {
    const url = newStore();
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

  const copy: CopySetup = {
    createLocation: async () => newStore(),
    openStore: (url) => openShardsStore({ url, mode: "write" }),
    open: openBetweenViews,
    openExport: openShardsExport,
    openImport: (url, holdings) => openShardsImport({ url, holdings }),
  };

  describeStoreConformance(
    "shards, rows written between views",
    () => openBetweenViews(newStore()),
    undefined,
    copies ? copy : undefined,
    { cachesItems: false, keepsHolders: false, searchRuns },
  );
  describeSearchConformance("shards, rows held back", openHeldBack, { searchRuns });
};
