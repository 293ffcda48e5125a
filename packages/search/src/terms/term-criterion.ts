import { type AddressSet, type AssetFacts, type Criterion, matchesCriterion, termKey } from "@lamplight/core";

/**
 * Takes a fact from any of these collections. A store reads the members of one collection at a time, so the index
 * alone knows this criterion.
 */
export interface InheritsFromAny {
  readonly kind: "inheritsFromAny";
  /** One bit of `inheritable`. */
  readonly fact: number;
  /** Equal criteria have equal keys: see `Sharers.key`. */
  readonly key: string;
  readonly from: AddressSet;
}

/** Memory of an address in a set, with its place there. */
const ADDRESS_BYTES = 160;

/** Memory of the collections that a criterion names. */
export const addressBytesOf = (criterion: TermCriterion): number =>
  criterion.kind === "inheritsFromAny" ? criterion.from.size * ADDRESS_BYTES : 0;

/** A criterion whose members the index may keep. */
export type TermCriterion = Criterion | InheritsFromAny;

/** Null for a criterion whose members are not kept. */
export const keyOf = (criterion: TermCriterion): string | null =>
  criterion.kind === "inheritsFromAny" ? criterion.key : termKey(criterion);

/** Whether an asset meets a criterion by its own facts. */
export const isMetBy = (criterion: TermCriterion, facts: AssetFacts): boolean => {
  if (criterion.kind !== "inheritsFromAny") return matchesCriterion(criterion, facts);
  const { inherits } = facts;
  return inherits !== null && (inherits.facts & criterion.fact) !== 0 && criterion.from.has(inherits.from);
};
