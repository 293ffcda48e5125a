import {
  type AssetPage,
  type AssetQuery,
  type Criterion,
  type MaybePromise,
  type SearchReader,
  type TermReader,
  matchesCriterion,
  type AddressBytes,
  type InheritedForm,
  inheritedForm,
  sharersOf,
  sharingInterface,
  turns,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { OrdinalSet } from "./bitmap/ordinal-set.ts";
import { EarlierState } from "./earlier/earlier-state.ts";
import { evaluate } from "./evaluate.ts";
import { cutPage, type PageSource } from "./page.ts";
import type { SearchIndex } from "./search-index.ts";

/** Up to this many members a term is read from the store's own index each time; above, it is kept in memory. */
export const RARE_MEMBERS_MAX = 4096;
/** A holder of more mints than this is not searched as one list. */
const HOLDINGS_MAX = 1_000_000;
/** Most names looked at for one query. */
const NAMES_MAX = 100_000;
/** Collections whose members are kept as terms of their own; of more, the members are read for each query. */
const SHARERS_KEPT_MAX = 64;
/** Collections whose members are read at once. */
const SHARERS_PER_READ = 256;
/** Assets that inherit from more than `SHARERS_KEPT_MAX` collections together, in one criterion. */
const INHERITING_MAX = 10_000_000;
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
      .map((criterion) => readCriterion(index, terms, criterion)),
  );
  const names = query.criteria.filter((criterion) => criterion.kind === "name");
  const earlier = new EarlierState(index, terms);
  let inherited: readonly (readonly Read[])[] | null = null;
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
    const seen = index.standsAt(terms.changeSeq) ? seenNow(index) : seenEarlier(earlier);
    // Which collections meet a criterion is a state of the view: it is told once.
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

/** What a search looks at, as of one view. */
interface Seen {
  readonly members: (read: Read) => OrdinalSet;
  readonly existing: OrdinalSet;
  readonly source: PageSource;
}

const seenNow = (index: SearchIndex): Seen => ({
  members: ({ members, held }) => (held === null ? members : held.or(members)),
  existing: index.existing,
  source: index,
});

/** A term let go meanwhile does no harm: that happens only while the index is whole, be it then or since. */
const seenEarlier = (earlier: EarlierState): Seen => ({
  members: ({ criterion, members, held }) => {
    const then = earlier.members(criterion, members);
    return held === null ? then : held.or(then);
  },
  existing: earlier.existing,
  source: earlier,
});

/** One criterion of a query. */
interface CriterionRead {
  /** Assets that meet it by their own facts. */
  readonly own: Read;
  /** Null where the fact cannot be inherited. */
  readonly form: InheritedForm | null;
  /** Collections are among those that meet what is shared. */
  readonly shared: Read;
}

const readCriterion = async (
  index: SearchIndex,
  terms: TermReader,
  criterion: Exclude<Criterion, { kind: "name" }>,
): Promise<CriterionRead> => {
  const form = inheritedForm(criterion);
  if (form === null) {
    const own = await readMembers(index, terms, criterion);
    return { own, form, shared: own };
  }
  const own = await readTerm(index, terms, form.own);
  return { own, form, shared: form.shared === form.own ? own : await readTerm(index, terms, form.shared) };
};

/** For each criterion the assets that inherit what it asks for; null where no collection meets it. */
const readInherited = (
  index: SearchIndex,
  terms: TermReader,
  query: AssetQuery,
  read: readonly CriterionRead[],
  { members, source }: Seen,
): readonly (Promise<readonly Read[]> | null)[] => {
  const criterion = { kind: "interface", interface: sharingInterface } as const;
  const collections = members({
    criterion,
    members: index.findTerm(criterion) ?? OrdinalSet.empty(),
    held: null,
  });
  return read.map(({ form, shared }) => {
    if (form === null) return null;
    const stored = [...members(shared).and(collections).toArray()].map((ordinal) =>
      source.columns.id(ordinal).slice(),
    );
    const sharers = sharersOf(form, query, stored);
    return sharers.length === 0 ? null : readInheriting(index, terms, form, sharers);
  });
};

const readInheriting = async (
  index: SearchIndex,
  terms: TermReader,
  { fact }: InheritedForm,
  sharers: readonly AddressBytes[],
): Promise<readonly Read[]> => {
  const termOf = (from: AddressBytes): Criterion => ({ kind: "inherits", from, fact });
  if (sharers.length <= SHARERS_KEPT_MAX)
    return Promise.all(sharers.map((from) => readTerm(index, terms, termOf(from))));
  const lists: Uint32Array[] = [];
  let total = 0;
  for (let at = 0; at < sharers.length; at += SHARERS_PER_READ) {
    const page = sharers.slice(at, at + SHARERS_PER_READ);
    const found = await Promise.all(
      page.map(async (from) => terms.listOrdinals(termOf(from), INHERITING_MAX)),
    );
    for (const list of found) {
      total += list?.length ?? INHERITING_MAX + 1;
      if (total > INHERITING_MAX)
        throw new LamplightError("QUERY__OVER_BUDGET", {
          reason: `more than ${INHERITING_MAX} assets inherit it from ${sharers.length} collections`,
          cheaper: "grouping, one collection at a time",
        });
      lists.push(list!);
    }
    await turns.next();
  }
  const all = new Uint32Array(total);
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  return [
    {
      criterion: { kind: "nothing" },
      members: OrdinalSet.empty(),
      held: OrdinalSet.fromSorted(all.toSorted()),
    },
  ];
};

/** The members of each criterion: by their own facts, and by what they inherit. */
const membersOf = (
  read: readonly CriterionRead[],
  inherited: readonly (readonly Read[])[],
  { members, existing }: Seen,
): readonly OrdinalSet[] =>
  read.map(({ own, form }, index) => {
    const met = (inherited[index] ?? []).reduce((all, one) => all.or(members(one)), members(own));
    return form?.negate === true ? existing.andNot(met) : met;
  });

const answer = (
  query: AssetQuery,
  members: readonly OrdinalSet[],
  { existing, source }: Seen,
  named: readonly OrdinalSet[],
): AssetPage => {
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
  members: readonly OrdinalSet[],
  { existing }: Seen,
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
