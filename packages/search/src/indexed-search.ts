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
import { evaluate } from "./evaluate.ts";
import { cursorOf, cutPage } from "./page.ts";
import type { SearchIndex } from "./search-index.ts";

/** Up to this many members a term is read from the store's own index each time; above, it is kept in memory. */
export const RARE_MEMBERS_MAX = 4096;
/** A holder of more mints than this is not searched as one list. */
export const HOLDINGS_MAX = 1_000_000;
/** Most names looked at for one query. */
export const NAMES_MAX = 100_000;
/** Changes a view may be ahead of the index and still be caught up within a request. */
const CATCH_UP_MAX = 10_000;

/**
 * Search at the state of one read view: the index answers when both stand at the same change counter. An index that is
 * behind is caught up first; for a view that is behind, or too far ahead, the store's own search answers.
 */
export const createIndexedSearch = (
  index: SearchIndex,
  terms: TermReader,
  storeSearch: SearchReader,
): SearchReader => ({
  async searchAssets(query: AssetQuery, signal?: AbortSignal): Promise<AssetPage> {
    await catchUp(index, terms);
    if (!index.standsAt(terms.changeSeq)) return storeSearch.searchAssets(query, signal);
    const read = await Promise.all(
      query.criteria.map((criterion) => readMembers(index, terms, query, criterion)),
    );
    signal?.throwIfAborted();
    // Reading may have taken turns of the event loop, in which the index moved on.
    if (!index.standsAt(terms.changeSeq)) return storeSearch.searchAssets(query, signal);
    const named = await withNames(index, terms, query, read);
    if (!index.standsAt(terms.changeSeq)) return storeSearch.searchAssets(query, signal);
    const matches = evaluate(query, named, index.existing);
    const ordinals = cutPage(index, query, matches);
    return { total: matches.size, ordinals, cursor: cursorOf(index, query, ordinals) };
  },
});

const catchUp = async (index: SearchIndex, terms: TermReader): Promise<void> => {
  const from = index.changeSeq;
  const behind = terms.changeSeq - from;
  // Too many changes are left to the index's own follower.
  if (behind <= 0 || behind > CATCH_UP_MAX) return;
  const changes = await terms.listChanges(from, CATCH_UP_MAX);
  // Another request may have caught it up meanwhile.
  if (index.changeSeq === from) index.apply(changes, terms.changeSeq);
};

/** Members of one criterion; null for `name`, which is looked at last. */
const readMembers = (
  index: SearchIndex,
  terms: TermReader,
  query: AssetQuery,
  criterion: Criterion,
): MaybePromise<OrdinalSet | null> => {
  switch (criterion.kind) {
    case "nothing":
      return OrdinalSet.empty();
    case "tokenType":
      return tokenTypeMembers(index, criterion.tokenType);
    case "name":
      return null;
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
const readTerm = async (index: SearchIndex, terms: TermReader, criterion: Criterion): Promise<OrdinalSet> => {
  const kept = index.findTerm(criterion);
  if (kept !== null) return kept;
  const rare = await terms.listOrdinals(criterion, RARE_MEMBERS_MAX);
  if (rare !== null) return OrdinalSet.fromSorted(rare);
  const all = await terms.listOrdinals(criterion, Number.MAX_SAFE_INTEGER);
  const members = OrdinalSet.fromSorted(all!);
  if (index.standsAt(terms.changeSeq) && index.findTerm(criterion) === null)
    index.promote(criterion, members);
  return members;
};

/** Assets owned, and (unless only `single` ones are asked for) mints held: holdings live in the store alone. */
const readHolder = async (
  index: SearchIndex,
  terms: TermReader,
  criterion: Extract<Criterion, { kind: "owner" }>,
): Promise<OrdinalSet> => {
  const held = await terms.listOrdinals({ ...criterion, ownerModel: "token" }, HOLDINGS_MAX);
  if (held === null)
    throw new LamplightError("QUERY__OVER_BUDGET", {
      reason: `the owner holds more than ${HOLDINGS_MAX} mints`,
      cheaper: "add ownerType single",
    });
  const holdings = OrdinalSet.fromSorted(held);
  if (criterion.ownerModel === "token") return holdings;
  return holdings.or(await readTerm(index, terms, { ...criterion, ownerModel: "single" }));
};

/** Puts the members of a `name` criterion beside the others: names are compared only where it can still matter. */
const withNames = async (
  index: SearchIndex,
  terms: TermReader,
  query: AssetQuery,
  read: readonly (OrdinalSet | null)[],
): Promise<readonly OrdinalSet[]> => {
  const others = read.filter((members) => members !== null);
  const names = query.criteria.filter((criterion) => criterion.kind === "name");
  if (names.length === 0) return others;
  const candidates =
    query.match === "all" && others.length > 0
      ? evaluate({ match: "all", negate: false }, others, index.existing)
      : index.existing;
  if (candidates.size > NAMES_MAX)
    throw new LamplightError("QUERY__OVER_BUDGET", {
      reason: `name would be looked for in ${candidates.size} assets, at most ${NAMES_MAX} are`,
      cheaper: "conditionType all with a narrower ownerAddress, grouping or creatorAddress",
    });
  const ordinals = candidates.toArray();
  const named = await Promise.all(
    names.map(async ({ name }) => OrdinalSet.fromSorted(await terms.filterByName(ordinals, name))),
  );
  return [...others, ...named];
};
