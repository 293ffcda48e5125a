import type {
  AssetPage,
  AssetQuery,
  Criterion,
  MaybePromise,
  SearchReader,
  TermReader,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { OrdinalSet } from "./bitmap/ordinal-set.ts";
import { EarlierState } from "./earlier/earlier-state.ts";
import { evaluate } from "./evaluate.ts";
import { cutPage, type PageSource } from "./page.ts";
import type { SearchIndex } from "./search-index.ts";
import { matchesCriterion } from "./terms/matches-criterion.ts";

/** Up to this many members a term is read from the store's own index each time; above, it is kept in memory. */
export const RARE_MEMBERS_MAX = 4096;
/** A holder of more mints than this is not searched as one list. */
const HOLDINGS_MAX = 1_000_000;
/** Most names looked at for one query. */
const NAMES_MAX = 100_000;
/** Looks at an index that moves on each time something is read. */
const LOOKS_MAX = 8;
/** Changes a view may be ahead of the index and still be caught up within a request. */
export const CATCH_UP_MAX = 10_000;

/**
 * Search at the state of one read view. An index that is behind is caught up first; to a view that is a little behind the
 * index answers as it stood there; where neither is possible the store's own search does.
 */
export const createIndexedSearch = (
  index: SearchIndex,
  terms: TermReader,
  storeSearch: SearchReader,
): SearchReader => ({
  async searchAssets(query: AssetQuery, signal?: AbortSignal): Promise<AssetPage> {
    await catchUp(index, terms);
    const page = await searchIndex(index, terms, query, signal);
    return page ?? storeSearch.searchAssets(query, signal);
  },
});

/** Null when the index cannot tell what the view saw. */
const searchIndex = async (
  index: SearchIndex,
  terms: TermReader,
  query: AssetQuery,
  signal: AbortSignal | undefined,
): Promise<AssetPage | null> => {
  if (index.changesAfter(terms.changeSeq) === null) return null;
  const read = await Promise.all(
    query.criteria
      .filter((criterion) => criterion.kind !== "name")
      .map((criterion) => readMembers(index, terms, criterion)),
  );
  const names = query.criteria.filter((criterion) => criterion.kind === "name");
  const earlier = new EarlierState(index, terms);
  let named: readonly OrdinalSet[] = [];
  let hasNames = names.length === 0;
  // Whenever something was waited for, the index may have moved on: only what follows the last wait is one state.
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    signal?.throwIfAborted();
    const unread = earlier.unread();
    if (unread === null) return null;
    if (unread.length > 0) {
      if (!(await earlier.read(unread))) return null;
      continue;
    }
    const seen = index.standsAt(terms.changeSeq) ? seenNow(index, read) : seenEarlier(earlier, read);
    if (hasNames) return answer(query, seen, named);
    named = await readNamed(terms, query, names, seen);
    hasNames = true;
  }
  return null;
};

/** What a search looks at, as of one view. */
interface Seen {
  readonly members: readonly OrdinalSet[];
  readonly existing: OrdinalSet;
  readonly source: PageSource;
}

const seenNow = (index: SearchIndex, read: readonly Read[]): Seen => ({
  members: read.map(({ members, held }) => (held === null ? members : held.or(members))),
  existing: index.existing,
  source: index,
});

/** A term let go meanwhile does no harm: that happens only while the index is whole, be it then or since. */
const seenEarlier = (earlier: EarlierState, read: readonly Read[]): Seen => ({
  members: read.map(({ criterion, members, held }) => {
    const then = earlier.members(criterion, members);
    return held === null ? then : held.or(then);
  }),
  existing: earlier.existing,
  source: earlier,
});

const answer = (query: AssetQuery, seen: Seen, named: readonly OrdinalSet[]): AssetPage => {
  const { members, existing, source } = seen;
  const matches = evaluate(query, [...members, ...named], existing);
  return { total: matches.size, ...cutPage(source, query, matches) };
};

const catchUp = async (index: SearchIndex, terms: TermReader): Promise<void> => {
  const from = index.changeSeq;
  const behind = terms.changeSeq - from;
  // Too many changes are left to the index's own follower.
  if (behind <= 0 || behind > CATCH_UP_MAX) return;
  const changes = await terms.listChanges(from, CATCH_UP_MAX);
  // Another request may have caught it up meanwhile.
  if (index.changeSeq === from) index.apply(changes, terms.changeSeq);
};

interface Read {
  readonly criterion: Criterion;
  /** As the view has them, or the index at any time since; those of a kept term move on with it. */
  readonly members: OrdinalSet;
  /** Mints held, as the view has them: the index knows nothing of holdings. */
  readonly held: OrdinalSet | null;
}

const readMembers = (
  index: SearchIndex,
  terms: TermReader,
  criterion: Exclude<Criterion, { kind: "name" }>,
): MaybePromise<Read> => {
  switch (criterion.kind) {
    case "nothing":
      return { criterion, members: OrdinalSet.empty(), held: null };
    case "tokenType":
      return { criterion, members: tokenTypeMembers(index, criterion.tokenType), held: null };
    case "owner":
      return criterion.ownerModel === "single"
        ? readTerm(index, terms, criterion)
        : readHolder(index, terms, criterion);
    default:
      return readTerm(index, terms, criterion);
  }
};

const tokenTypeMembers = (
  index: SearchIndex,
  tokenType: Extract<Criterion, { kind: "tokenType" }>["tokenType"],
) => {
  const closed = (criterion: Criterion): OrdinalSet => index.findTerm(criterion) ?? OrdinalSet.empty();
  const fungible = closed({ kind: "interface", interface: "FungibleToken" }).or(
    closed({ kind: "interface", interface: "FungibleAsset" }),
  );
  const compressed = closed({ kind: "flag", flag: "compressed", value: true });
  switch (tokenType) {
    case "all":
      return index.existing;
    case "fungible":
      return fungible;
    case "nonFungible":
      return index.existing.andNot(fungible);
    case "regularNft":
      return index.existing.andNot(fungible).andNot(compressed);
    case "compressedNft":
      return compressed;
    default:
      return tokenType satisfies never;
  }
};

/** A kept term, or a rare one read from the store; one that turns out not to be rare is kept from now on. */
const readTerm = async (index: SearchIndex, terms: TermReader, criterion: Criterion): Promise<Read> => {
  const kept = index.findTerm(criterion);
  if (kept !== null) return { criterion, members: kept, held: null };
  const rare = await terms.listOrdinals(criterion, RARE_MEMBERS_MAX);
  if (rare !== null) return { criterion, members: OrdinalSet.fromSorted(rare), held: null };
  const all = await terms.listOrdinals(criterion, Number.MAX_SAFE_INTEGER);
  const members = OrdinalSet.fromSorted(all!);
  keepTerm(index, terms, criterion, members);
  return { criterion, members, held: null };
};

/** Keeps what a view said of a term, brought to where the index stands, if it can be and no other one is kept. */
const keepTerm = (index: SearchIndex, terms: TermReader, criterion: Criterion, members: OrdinalSet): void => {
  const changes = index.changesAfter(terms.changeSeq);
  if (changes === null || index.findTerm(criterion) !== null) return;
  for (const { ordinal, facts } of changes)
    if (facts !== null && matchesCriterion(criterion, facts)) members.add(ordinal);
    else members.remove(ordinal);
  index.promote(criterion, members);
};

/** Assets owned, and (unless only `single` ones are asked for) mints held: holdings live in the store alone. */
const readHolder = async (
  index: SearchIndex,
  terms: TermReader,
  criterion: Extract<Criterion, { kind: "owner" }>,
): Promise<Read> => {
  const listed = await terms.listOrdinals({ ...criterion, ownerModel: "token" }, HOLDINGS_MAX);
  if (listed === null)
    throw new LamplightError("QUERY__OVER_BUDGET", {
      reason: `the owner holds more than ${HOLDINGS_MAX} mints`,
      cheaper: "add ownerType single",
    });
  const held = OrdinalSet.fromSorted(listed);
  if (criterion.ownerModel === "token")
    return { criterion: { kind: "nothing" }, members: OrdinalSet.empty(), held };
  return { ...(await readTerm(index, terms, { ...criterion, ownerModel: "single" })), held };
};

/** Members of `name` criteria: names are compared only where it can still matter. */
const readNamed = async (
  terms: TermReader,
  query: AssetQuery,
  names: readonly Extract<Criterion, { kind: "name" }>[],
  { members, existing }: Seen,
): Promise<readonly OrdinalSet[]> => {
  const candidates =
    query.match === "all" && members.length > 0
      ? evaluate({ match: "all", negate: false }, members, existing)
      : existing;
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
