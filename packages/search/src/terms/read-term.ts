import {
  type Criterion,
  fungibleInterfaces,
  type OwnerCriterion,
  type TermReader,
  type TokenType,
  tokenTypes,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { both, either, without } from "../bitmap/combined-set.ts";
import type { MemberSet } from "../bitmap/member-set.ts";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import type { SearchIndex } from "../search-index.ts";
import { PendingTerm } from "./pending-term.ts";
import { keyOf, type TermCriterion } from "./term-criterion.ts";

/** Up to this many members a term is read from the store's own index each time; above, it is kept in memory. */
export const RARE_MEMBERS_MAX = 4096;
/** A holder of more mints than this is not searched as one list. */
const HOLDINGS_MAX = 1_000_000;

/** Members of one criterion, by their own facts. */
export interface TermRead {
  readonly criterion: TermCriterion;
  /** As the view has them, or the index at any time since; a kept term's change with the index. */
  readonly members: MemberSet;
  /** Mints that the owner holds, read from the view: the index has no holdings. */
  readonly held: OrdinalSet | null;
}

export const readMembers = async (
  index: SearchIndex,
  terms: TermReader,
  criterion: Exclude<Criterion, { kind: "name" }>,
): Promise<TermRead> => {
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

const tokenTypeMembers = (index: SearchIndex, tokenType: TokenType): MemberSet => {
  const { fungible, compressed } = tokenTypes[tokenType];
  const closed = (criterion: Criterion): MemberSet => index.findTerm(criterion) ?? OrdinalSet.empty();
  const limit = (members: MemberSet, asked: boolean | null, met: () => MemberSet): MemberSet => {
    if (asked === null) return members;
    if (!asked) return without(members, met());
    return members === index.existing ? met() : both(members, met());
  };
  const ofFungibles = (): MemberSet =>
    fungibleInterfaces.map((value) => closed({ kind: "interface", value })).reduce(either);
  return limit(limit(index.existing, fungible, ofFungibles), compressed, () =>
    closed({ kind: "compressed", value: true }),
  );
};

/** A kept term, or a rare one read from the store. A term that is not rare is kept from now on. */
export const readTerm = async (
  index: SearchIndex,
  terms: TermReader,
  criterion: Criterion,
): Promise<TermRead> => {
  const kept = index.findTerm(criterion);
  if (kept !== null) return { criterion, members: kept, held: null };
  const rare = await terms.listOrdinals(criterion, RARE_MEMBERS_MAX);
  if (rare !== null) return { criterion, members: OrdinalSet.fromSorted(rare), held: null };
  const key = keyOf(criterion)!;
  return keepOnce(index, terms, key, {
    criterion: async () => criterion,
    members: async () =>
      OrdinalSet.fromSorted((await terms.listOrdinals(criterion, Number.MAX_SAFE_INTEGER))!),
  });
};

/** Terms that are being read to be kept, by key, until each has settled. */
const beingRead = new WeakMap<SearchIndex, Map<string, Promise<void>>>();

/** How a term is read at the state of a view. */
export interface TermReading<One extends TermCriterion> {
  readonly criterion: () => Promise<One>;
  /** Read after the criterion, by which changes in the meantime are noted. */
  readonly members: (criterion: One) => Promise<OrdinalSet>;
}

/** Calls that ask for a term while it is being read wait for it, and read it only where it was not kept. */
export const keepOnce = async <One extends TermCriterion>(
  index: SearchIndex,
  terms: TermReader,
  key: string,
  asked: TermReading<One>,
): Promise<TermRead> => {
  const readings = beingRead.get(index) ?? new Map<string, Promise<void>>();
  beingRead.set(index, readings);
  // One after another, where none is kept: together they would hold as many times the memory.
  for (let underWay = readings.get(key); underWay !== undefined; underWay = readings.get(key)) {
    await underWay;
    const kept = index.findByKey(key);
    if (kept !== null) return { ...kept, held: null };
  }
  const reading = readToKeep(index, terms, asked);
  const settled = reading.then(ignore, ignore);
  readings.set(key, settled);
  try {
    return await reading;
  } finally {
    if (readings.get(key) === settled) readings.delete(key);
  }
};

const ignore = (): void => undefined;

/** Keeps the term, unless the index has it or cannot answer at the state of the view. */
const readToKeep = async <One extends TermCriterion>(
  index: SearchIndex,
  terms: TermReader,
  asked: TermReading<One>,
): Promise<TermRead> => {
  const criterion = await asked.criterion();
  const pending = new PendingTerm(index, criterion, terms);
  try {
    const members = await asked.members(criterion);
    pending.keep(members);
    return { criterion, members, held: null };
  } finally {
    pending.end();
  }
};

/** Assets with this owner, and mints that the owner holds unless only `single` assets match. Only the store has holdings. */
const readHolder = async (
  index: SearchIndex,
  terms: TermReader,
  criterion: OwnerCriterion,
): Promise<TermRead> => {
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
