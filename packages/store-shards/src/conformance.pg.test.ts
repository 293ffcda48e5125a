import {
  describeSearchConformance,
  describeStoreConformance,
  type StoreUnderTest,
} from "@lamplight/store-conformance";
import { SettleBetweenViews } from "../test/settle-between-views.ts";
import { describeShards } from "../test/shards-under-test.ts";
import { openShardsReader } from "./reader/open-shards-reader.ts";
import { openShardsStore, openShardsStoreWith } from "./writer/open-shards-store.ts";

/** A store takes four databases: `npm test` searches few worlds. */
const searchRuns = Number(process.env["LAMPLIGHT_SEARCH_RUNS"] ?? 6);

describeShards("a store of three shards", (newStore) => {
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
});
