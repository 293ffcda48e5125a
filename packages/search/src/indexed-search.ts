import {
  type AddressBytes,
  type AssetPage,
  type AssetQuery,
  type Criterion,
  cutPage,
  decodeAssetCursor,
  pageOf,
  resultOf,
  type TermReader,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { MemberSet } from "./bitmap/member-set.ts";
import { OrdinalSet } from "./bitmap/ordinal-set.ts";
import { EarlierState } from "./earlier/earlier-state.ts";
import { evaluate } from "./evaluate.ts";
import type { SearchIndex } from "./search-index.ts";
import { indexEarlier, type IndexAtView, indexNow } from "./index-at-view.ts";
import { KnownIds } from "./known-ids.ts";
import { readIds } from "./read-ids.ts";
import { takeChanges } from "./take-changes.ts";
import { membersOf, readCriterion, readInherited } from "./terms/inherited-members.ts";
import type { TermRead } from "./terms/read-term.ts";

/** Most names compared in one query. */
const NAMES_MAX = 100_000;
/** Attempts while the index changes each time something is read. */
const ATTEMPTS_MAX = 10;
/** Changes a view may be ahead of the index and still be caught up within a request. */
export const CATCH_UP_MAX = 10_000;

/**
 * Search at the state of one read view. An index that is behind the view is caught up first. For a view that is a few
 * changes behind, the index answers as it was there. Where neither is possible, the store's own search answers.
 */
export const searchIndexed = async (
  index: SearchIndex,
  { terms, inPlace, isCancelled }: IndexedView,
  query: AssetQuery,
): Promise<AssetPage> => {
  await catchUp(index, terms);
  const page = await searchIndex(index, terms, query, isCancelled);
  return page ?? inPlace();
};

/** The parts of a view that an index needs to search for it. */
export interface IndexedView {
  readonly terms: TermReader;
  /** Searches in place of the index. */
  readonly inPlace: () => Promise<AssetPage>;
  /** Whether the caller is gone. */
  readonly isCancelled: () => boolean;
}

/** Null when the index has no state that the view is at. */
const searchIndex = async (
  index: SearchIndex,
  terms: TermReader,
  query: AssetQuery,
  isCancelled: () => boolean,
): Promise<AssetPage | null> => {
  if (index.changesAfter(terms) === null) return null;
  const read = await Promise.all(
    query.criteria
      .filter((criterion) => criterion.kind !== "name")
      .map((criterion) => readCriterion(index, terms, criterion)),
  );
  const names = query.criteria.filter((criterion) => criterion.kind === "name");
  const known = new KnownIds();
  const earlier = new EarlierState(index, terms, known);
  let inherited: readonly (readonly TermRead[])[] | null = null;
  let named: readonly OrdinalSet[] = [];
  const startIds = startIdsOf(query);
  let hasNames = names.length === 0;
  // The index may have changed during each wait: only what follows the last wait is one state.
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (isCancelled()) throw new DOMException("the caller is gone", "AbortError");
    const unread = earlier.unread();
    if (unread === null) return null;
    if (unread.length > 0) {
      await earlier.read(unread);
      continue;
    }
    const tied = index.unknownTied([...startIds, ...earlier.ids()], known);
    if (tied.length > 0) {
      await readIds(index.columns, terms, tied, known);
      continue;
    }
    const seen = index.isAt(terms.changeSeq) ? indexNow(index, { terms, known }) : indexEarlier(earlier);
    // The collections that meet a criterion are state of the view: they are read once.
    if (inherited === null) {
      const reading = readInherited(index, terms, query, read, seen);
      if (reading.some((one) => one !== null)) {
        inherited = await Promise.all(reading.map((one) => one ?? []));
        continue;
      }
      inherited = [];
    }
    const members = membersOf(read, inherited, seen);
    if (hasNames) return answer(query, members, seen, named);
    named = await readNamed(terms, query, names, members, seen);
    hasNames = true;
  }
  return null;
};

/** Cuts the page before anything is waited for. */
const answer = async (
  query: AssetQuery,
  members: readonly MemberSet[],
  { existing, pages }: IndexAtView,
  named: readonly OrdinalSet[],
): Promise<AssetPage> => {
  const reader = pages(query.sort, evaluate(query, [...members, ...named], existing));
  const cut = resultOf(cutPage(reader, query));
  const last = cut.hasNext ? cut.rows.at(-1) : undefined;
  const place = last === undefined ? undefined : await reader.wholePlaceOf(last);
  return pageOf(reader, query, cut, place);
};

/** Ids that the page is cut at. */
const startIdsOf = (query: AssetQuery): readonly AddressBytes[] => {
  const { start } = query;
  if (start.kind === "place") return [start.place.id];
  if (start.kind === "cursor") return [decodeAssetCursor(start.cursor, query).id];
  return start.kind === "before" || start.kind === "after" ? [start.id] : [];
};

const catchUp = async (index: SearchIndex, terms: TermReader): Promise<void> => {
  const from = index.changeSeq;
  const behind = terms.changeSeq - from;
  // More changes are left to the index's own follower.
  if (behind <= 0 || behind > CATCH_UP_MAX) return;
  const changes = await terms.listChanges(from, CATCH_UP_MAX);
  // Another request may have caught it up in the meantime.
  if (index.changeSeq === from) await takeChanges(index, terms, changes, terms.changeSeq);
};

/** Members of `name` criteria: names are compared only where it can still matter. */
const readNamed = async (
  terms: TermReader,
  query: AssetQuery,
  names: readonly Extract<Criterion, { kind: "name" }>[],
  members: readonly MemberSet[],
  { existing }: IndexAtView,
): Promise<readonly OrdinalSet[]> => {
  const narrowing = query.match === "all" ? members : [];
  const candidates = evaluate({ match: "all", negate: false }, narrowing, existing);
  if (candidates.size > NAMES_MAX)
    throw new LamplightError("QUERY__OVER_BUDGET", {
      reason: `name would be compared with ${candidates.size} assets; the limit is ${NAMES_MAX}`,
      cheaper: "conditionType all with a narrower ownerAddress, grouping or creatorAddress",
    });
  const ordinals = candidates.toArray();
  return Promise.all(
    names.map(async ({ name }) => OrdinalSet.fromSorted(await terms.filterByName(ordinals, name))),
  );
};
