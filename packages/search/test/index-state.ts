import type { SearchReader } from "@lamplight/core";
import type { SearchIndex } from "../src/search-index.ts";

/** What two equal indexes have in common, apart from their columns. */
export const stateOf = (index: SearchIndex): object => ({
  changeSeq: index.changeSeq,
  existing: index.existing.toArray(),
  orders: (["id", "created", "updated"] as const).map((sort) => index.order(sort).toArray()),
  terms: Array.from(index.terms(), ({ criterion, members }) => [criterion, members.toArray()]),
});

/** The store's own search, where the index must answer by itself. */
export const noFallback: SearchReader = {
  searchAssets: () => {
    throw new Error("the store's own search was asked");
  },
};
