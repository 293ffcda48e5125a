import {
  type AddressBytes,
  type AssetQuery,
  type Criterion,
  type InheritedForm,
  inheritedForm,
  type Ordinal,
  sharersOf,
  sharingInterface,
  type TermReader,
  turns,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import type { SearchIndex } from "../search-index.ts";
import type { IndexAtView } from "../index-at-view.ts";
import { keepOnce, readMembers, readTerm, type TermRead } from "./read-term.ts";
import { InheritsFromAny } from "./term-criterion.ts";

/** Collections whose members are terms of their own; those of more are one term. */
const SINGLE_SHARERS_MAX = 2;
/** Collections whose members are kept as one term; those of more are read for each query. */
const SHARERS_KEPT_MAX = 16_384;
/** Collections whose members are read at once. */
const SHARERS_PER_READ = 256;
/** Collections whose rows are read at once. */
const ROWS_PER_READ = 1000;
/** Assets that inherit from more than `SINGLE_SHARERS_MAX` collections together, in one criterion. */
const INHERITING_MAX = 10_000_000;

/** One criterion of a query. */
export interface CriterionRead {
  /** Assets that meet it by their own facts. */
  readonly own: TermRead;
  /** Null where the fact cannot be inherited. */
  readonly form: InheritedForm | null;
  /** Collections are among those that meet what is shared. */
  readonly shared: TermRead;
}

export const readCriterion = async (
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

/** For each criterion the assets that inherit a fact that meets it; null where no collection has one. */
export const readInherited = (
  index: SearchIndex,
  terms: TermReader,
  query: AssetQuery,
  read: readonly CriterionRead[],
  { members }: IndexAtView,
): readonly (Promise<readonly TermRead[]> | null)[] => {
  const criterion = { kind: "interface", value: sharingInterface } as const;
  const collections = members({
    criterion,
    members: index.findTerm(criterion) ?? OrdinalSet.empty(),
    held: null,
  });
  return read.map(({ form, shared }) => {
    if (form === null) return null;
    const stored = members(shared).and(collections);
    if (stored.size === 0 && sharersOf(form, query, []).length === 0) return null;
    return readSharing(index, terms, form, query, [...stored.toArray()]);
  });
};

/** @param stored - ordinals of the collections that share such a fact, at the state of the view */
const readSharing = async (
  index: SearchIndex,
  terms: TermReader,
  form: InheritedForm,
  query: AssetQuery,
  stored: readonly Ordinal[],
): Promise<readonly TermRead[]> => {
  const ids: AddressBytes[] = [];
  for (let at = 0; at < stored.length; at += ROWS_PER_READ)
    for (const { id } of await terms.readPositions(stored.slice(at, at + ROWS_PER_READ))) ids.push(id);
  return readInheriting(index, terms, form, sharersOf(form, query, ids));
};

const readInheriting = async (
  index: SearchIndex,
  terms: TermReader,
  { fact }: InheritedForm,
  sharers: readonly AddressBytes[],
): Promise<readonly TermRead[]> => {
  const termOf = (from: AddressBytes): Criterion => ({ kind: "inherits", from, fact });
  if (sharers.length <= SINGLE_SHARERS_MAX)
    return Promise.all(sharers.map((from) => readTerm(index, terms, termOf(from))));
  const readAll = () => readTogether(terms, sharers.map(termOf));
  if (sharers.length > SHARERS_KEPT_MAX)
    return [{ criterion: { kind: "nothing" }, members: OrdinalSet.empty(), held: await readAll() }];
  const criterion = new InheritsFromAny(fact, sharers);
  const members = index.findTerm(criterion) ?? (await keepOnce(index, terms, criterion, readAll));
  return [{ criterion, members, held: null }];
};

/** Assets that inherit from any collection. */
const readTogether = async (terms: TermReader, criteria: readonly Criterion[]): Promise<OrdinalSet> => {
  const lists: Uint32Array[] = [];
  let total = 0;
  for (let at = 0; at < criteria.length; at += SHARERS_PER_READ) {
    const page = criteria.slice(at, at + SHARERS_PER_READ);
    const found = await Promise.all(
      page.map(async (criterion) => terms.listOrdinals(criterion, INHERITING_MAX)),
    );
    for (const list of found) {
      total += list?.length ?? INHERITING_MAX + 1;
      if (total > INHERITING_MAX)
        throw new LamplightError("QUERY__OVER_BUDGET", {
          reason: `more than ${INHERITING_MAX} assets inherit it from ${criteria.length} collections`,
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
  return OrdinalSet.fromSorted(all.toSorted());
};

/** The members of each criterion: by their own facts, and by what they inherit. */
export const membersOf = (
  read: readonly CriterionRead[],
  inherited: readonly (readonly TermRead[])[],
  { members, existing }: IndexAtView,
): readonly OrdinalSet[] =>
  read.map(({ own, form }, index) => {
    const met = (inherited[index] ?? []).reduce((all, one) => all.or(members(one)), members(own));
    return form?.negate === true ? existing.andNot(met) : met;
  });
