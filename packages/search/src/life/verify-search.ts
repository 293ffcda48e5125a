import {
  type AssetQuery,
  reads,
  type ReadView,
  type SortKey,
  type ViewSource,
  termKey,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { searchIndexed } from "../indexed-search.ts";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import { SearchIndex } from "../search-index.ts";
import { isPartOf, loadIndexFile } from "./search-file.ts";
import { fillIndex } from "./fill-index.ts";

/** Pages compared per order: the first, one in the middle, the last. */
const PAGE = 1000;
/** Shown of a term's name: a URI may be long. */
const NAME_LENGTH_MAX = 100;
const sorts: readonly SortKey[] = ["id", "created", "updated", "none"];

/**
 * Compares a search index with the store's own SQL: every kept term member by member, the sort keys of every asset, every
 * order by those keys, and pages of every order as SQL gives them. The saved index when there is one that belongs to this
 * store, else one filled again.
 *
 * @returns named differences; empty = equal
 */
export const verifySearch = async (
  viewSource: ViewSource,
  file: string | null,
  onProgress?: (line: string) => void,
): Promise<readonly string[]> => {
  const view = await viewSource.openView("finalized");
  try {
    const saved = file === null ? null : await loadIndexFile(file, (state) => isPartOf(state, view));
    const index = saved?.index ?? new SearchIndex();
    onProgress?.(index.changeSeq === 0 ? "filling a search index" : "catching the saved search index up");
    await fillIndex(index, view);
    const differences: string[] = [];
    for (const term of index.terms()) {
      const expected = await view.terms.listOrdinals(term.criterion, Number.MAX_SAFE_INTEGER);
      if (!sameMembers(term.members, expected!))
        differences.push(
          `search term ${termKey(term.criterion)!.slice(0, NAME_LENGTH_MAX)} differs from SQL`,
        );
    }
    onProgress?.("comparing the orders of search");
    for (const sort of sorts) differences.push(...(await compareOrder(index, view, sort)));
    differences.push(...(await compareKeys(index, view)), ...unsortedOrders(index));
    return differences;
  } finally {
    view.close();
  }
};

/** Compares what every asset is sorted by with the store; reports the first that differs. */
const compareKeys = async ({ existing, columns }: SearchIndex, { terms }: ReadView): Promise<string[]> => {
  const ordinals = existing.toArray();
  for (let from = 0; from < ordinals.length; from += PAGE) {
    const asked = [...ordinals.subarray(from, from + PAGE)];
    const rows = await terms.readPositions(asked);
    const wrong = asked.find((ordinal, index) => {
      const row = rows[index];
      return (
        row?.ordinal !== ordinal ||
        columns.compareIdTo(ordinal, row.id) !== 0 ||
        columns.createdSlot(ordinal) !== row.createdSlot ||
        columns.updatedSlot(ordinal) !== row.updatedSlot
      );
    });
    if (wrong !== undefined) return [`search keys of asset number ${wrong} differ from SQL`];
  }
  return [];
};

/** Orders that lack an asset, have one twice, or at another place than its keys say. */
const unsortedOrders = (index: SearchIndex): string[] => {
  const { existing, columns } = index;
  const slotOf = {
    id: () => 0,
    created: (ordinal: number) => columns.createdSlot(ordinal),
    updated: (ordinal: number) => columns.updatedSlot(ordinal),
  };
  return (["id", "created", "updated"] as const)
    .filter((sort) => {
      const ordinals = index.order(sort).toArray();
      const follows = (ordinal: number, at: number): boolean => {
        if (!existing.has(ordinal)) return false;
        const before = at === 0 ? null : ordinals[at - 1]!;
        if (before === null) return true;
        return (slotOf[sort](before) - slotOf[sort](ordinal) || columns.compareIds(before, ordinal)) < 0;
      };
      return ordinals.length !== existing.size || !ordinals.every(follows);
    })
    .map((sort) => `search order ${sort} is not the order of its keys`);
};

const sameMembers = (members: OrdinalSet, expected: Uint32Array): boolean =>
  members.size === expected.length && expected.every((ordinal) => members.has(ordinal));

const inPlace = (): never => {
  throw brokenInvariant("the index and its view are at different change counters");
};

const compareOrder = async (index: SearchIndex, view: ReadView, sort: SortKey): Promise<string[]> => {
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
    const ours = await searchIndexed(index, { terms: view.terms, inPlace, isCancelled: () => false }, query);
    const theirs = await view.read(reads.search(query));
    if (ours.total !== theirs.total || ours.ordinals.join() !== theirs.ordinals.join())
      differences.push(`search order ${sort} differs from SQL on page ${page}`);
  }
  return differences;
};
