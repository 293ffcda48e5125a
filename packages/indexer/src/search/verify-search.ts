import type { AssetQuery, MaybePromise, Readable, ReadView, SortKey } from "@lamplight/core";
import { createIndexedSearch, OrdinalSet, SearchIndex } from "@lamplight/search";
import { loadIndexFile } from "./search-file.ts";
import { fillIndex } from "./fill-index.ts";

/** Pages compared per order: the first, one in the middle, the last. */
const PAGE = 1000;
const sorts: readonly SortKey[] = ["id", "created", "updated", "none"];

/**
 * Compares a search index with the store's own SQL: every kept term member by member, and pages of every order. The
 * saved index when there is one that belongs to this store, else one filled anew.
 *
 * @returns named differences; empty = equal
 */
export const verifySearch = async (
  readable: Readable,
  file: string | null,
  onProgress?: (line: string) => void,
): Promise<readonly string[]> => {
  const view = await readable.openView("finalized");
  try {
    const { storeId, changeSeq } = view.terms;
    const saved = file === null ? null : await loadIndexFile(file, storeId, changeSeq);
    const index = saved ?? new SearchIndex();
    onProgress?.(index.changeSeq === 0 ? "filling a search index" : "catching the saved search index up");
    await fillIndex(index, view);
    const differences: string[] = [];
    for (const term of index.terms()) {
      const expected = await view.terms.listOrdinals(term.criterion, Number.MAX_SAFE_INTEGER);
      if (!sameMembers(term.members, expected!))
        differences.push(`search term ${term.criterion.kind} differs from SQL`);
    }
    onProgress?.("comparing the orders of search");
    for (const sort of sorts) differences.push(...(await compareOrder(index, view, sort)));
    return differences;
  } finally {
    view.close();
  }
};

const sameMembers = (members: OrdinalSet, expected: Uint32Array): boolean =>
  members.size === expected.length && expected.every((ordinal) => members.has(ordinal));

const compareOrder = async (index: SearchIndex, view: ReadView, sort: SortKey): Promise<string[]> => {
  const search = createIndexedSearch(index, view.terms, {
    searchAssets: (): MaybePromise<never> => {
      throw new Error("the index does not stand where its view does");
    },
  });
  const differences: string[] = [];
  const pages = Math.max(1, Math.ceil(index.existing.size / PAGE));
  for (const page of new Set([1, Math.ceil(pages / 2), pages])) {
    const query: AssetQuery = {
      criteria: [],
      match: "all",
      negate: false,
      sort,
      direction: "asc",
      start: { kind: "page", page },
      limit: PAGE,
    };
    const ours = await search.searchAssets(query);
    const theirs = await view.search.searchAssets(query);
    if (ours.total !== theirs.total || ours.ordinals.join() !== theirs.ordinals.join())
      differences.push(`search order ${sort} differs from SQL on page ${page}`);
  }
  return differences;
};
