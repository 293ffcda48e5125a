import type { AssetChange, AssetPage, AssetQuery, TermReader } from "@lamplight/core";
import { searchIndexed } from "../src/indexed-search.ts";
import type { SearchIndex } from "../src/search-index.ts";
import { keepIds } from "../src/read-ids.ts";
import type { NaiveSearch } from "./naive-search.ts";

/** The state that two equal indexes have in common, apart from their columns. */
export const stateOf = (index: SearchIndex): object => ({
  changeSeq: index.changeSeq,
  existing: index.existing.toArray(),
  orders: (["id", "created", "updated"] as const).map((sort) => index.order(sort).toArray()),
  terms: Array.from(index.terms(), ({ criterion, members }) => [criterion, members.toArray()]),
});

/** Applies what a store of the naive model has committed. */
export const take = (
  index: SearchIndex,
  naive: NaiveSearch,
  changes: readonly AssetChange[],
  changeSeq = naive.log.length,
): void => {
  const tied = index.unknownTiedBy(changes);
  keepIds(index.columns, tied, naive.positionsOf(tied), index.columns.tied);
  index.apply(changes, changeSeq, true);
};

/** Searches an index, which must answer by itself. */
export const searchOf = (index: SearchIndex, terms: TermReader, isCancelled = (): boolean => false) => ({
  searchAssets: (query: AssetQuery): Promise<AssetPage> =>
    searchIndexed(index, { terms, inPlace, isCancelled }, query),
});

const inPlace = (): never => {
  throw new Error("the store's own search was asked");
};
