import {
  type AddressBytes,
  AddressSet,
  type AssetQuery,
  type Criterion,
  type InheritedForm,
  inheritedForm,
  sharersOf,
  sharingInterface,
  type TermReader,
  turns,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { both, either, without } from "../bitmap/combined-set.ts";
import type { MemberSet } from "../bitmap/member-set.ts";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import { SetBuilder } from "../bitmap/set-builder.ts";
import type { IndexAtView } from "../index-at-view.ts";
import type { SearchIndex } from "../search-index.ts";
import type { Slices } from "../slices.ts";
import { keepOnce, RARE_MEMBERS_MAX, readMembers, readTerm, type TermRead } from "./read-term.ts";
import { readSharers, type Sharers } from "./sharers.ts";

/** Collections whose members are terms of their own; those of more are one term. */
const SINGLE_SHARERS_MAX = 2;
/** Collections whose members are read at once, where they have few. Others are read one at a time. */
const SHARERS_PER_READ = 64;
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
    const stored = OrdinalSet.fromSorted(both(collections, members(shared)).toArray());
    if (stored.size === 0 && sharersOf(form, query, []).length === 0) return null;
    return readSharing(index, terms, form, query, stored);
  });
};

/** @param stored - the collections that share such a fact, at the state of the view */
const readSharing = async (
  index: SearchIndex,
  terms: TermReader,
  form: InheritedForm,
  query: AssetQuery,
  stored: OrdinalSet,
): Promise<readonly TermRead[]> => {
  const sharers = await readSharers(terms, form, query, stored);
  const { fact } = form;
  if (sharers.count <= SINGLE_SHARERS_MAX) {
    const ids = await sharers.readIds();
    return Promise.all(ids.map((from) => readTerm(index, terms, { kind: "inherits", from, fact })));
  }
  const key = `inheritsFromAny ${fact} ${sharers.key}`;
  const kept = index.findByKey(key);
  if (kept !== null) return [{ ...kept, held: null }];
  const reading = keepOnce(index, terms, key, {
    criterion: async () => ({ kind: "inheritsFromAny", fact, key, from: await readSet(sharers) }) as const,
    members: ({ from }) => readTogether(terms, fact, from.addresses()),
  });
  return [await reading];
};

const readSet = async (sharers: Sharers): Promise<AddressSet> => {
  const from = new AddressSet();
  for (const id of await sharers.readIds()) {
    from.add(id);
    if (turns.isUsedUp()) await turns.next();
  }
  return from;
};

/** Reads the assets that inherit from any collection. The lists of a page are short, and of others one is held at a time. */
const readTogether = async (
  terms: TermReader,
  fact: number,
  ids: readonly AddressBytes[],
): Promise<OrdinalSet> => {
  const list = (from: AddressBytes, limit: number) =>
    terms.listOrdinals({ kind: "inherits", from, fact }, limit);
  const builder = new SetBuilder();
  let room = INHERITING_MAX;
  for (let at = 0; at < ids.length; at += SHARERS_PER_READ) {
    const page = ids.slice(at, at + SHARERS_PER_READ);
    const short = await Promise.all(page.map(async (id) => list(id, RARE_MEMBERS_MAX)));
    for (const [place, id] of page.entries()) {
      const found = short[place] ?? (await list(id, room));
      if (found === null || found.length > room) throw tooManyInherit(ids.length);
      room -= found.length;
      await inCall(builder.add(found));
    }
    if (turns.isUsedUp()) await turns.next();
  }
  return inCall(builder.build());
};

const tooManyInherit = (collections: number): LamplightError =>
  new LamplightError("QUERY__OVER_BUDGET", {
    reason: `more than ${INHERITING_MAX} assets inherit it from ${collections} collections`,
    cheaper: "grouping, one collection at a time",
  });

/** Works through slices for a call. It gives way to other calls where their turn is used up. */
const inCall = async <Result>(slices: Slices<Result>): Promise<Result> => {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
    if (turns.isUsedUp()) await turns.next();
  }
};

/** The members of each criterion: by their own facts, and by what they inherit. */
export const membersOf = (
  read: readonly CriterionRead[],
  inherited: readonly (readonly TermRead[])[],
  { members, existing }: IndexAtView,
): readonly MemberSet[] =>
  read.map(({ own, form }, index) => {
    const met = (inherited[index] ?? []).reduce((all, one) => either(all, members(one)), members(own));
    return form?.negate === true ? without(existing, met) : met;
  });
