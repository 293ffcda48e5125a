import {
  describeSearchConformance,
  describeStoreConformance,
  type StoreUnderTest,
} from "@lamplight/store-conformance";
import { openShardsReader } from "../src/reader/open-shards-reader.ts";
import { openShardsStore, openShardsStoreWith } from "../src/writer/open-shards-store.ts";
import { SettleBetweenViews } from "./settle-between-views.ts";

/** A store takes several databases or schemas: `npm test` searches few worlds. */
const searchRuns = Number(process.env["LAMPLIGHT_SEARCH_RUNS"] ?? 6);

/** The whole conformance, with rows that are written between views, and its searches, with rows held back. */
export const describeConformance = (newStore: () => string): void => {
  const openBetweenViews = async (): Promise<StoreUnderTest> => {
    const url = newStore();
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

  describeStoreConformance("shards, rows written between views", openBetweenViews, undefined, undefined, {
    cachesItems: false,
    searchRuns,
  });
  describeSearchConformance("shards, rows held back", openHeldBack, { searchRuns });
};
