import type { AssetFacts } from "./asset.ts";
import {
  askedFacts,
  type AskedValue,
  factCriterion,
  type FactDescription,
  factDescriptions,
} from "./fact-criteria.ts";
import { matchesCriterion } from "./matches-criterion.ts";
import type { Criterion } from "./search.ts";

/** Criteria with few possible values, and values that most assets share: their terms are always in memory. At most 53. */
export const closedCriteria: readonly Criterion[] = [
  ...askedFacts.flatMap((fact) => {
    const { closed }: FactDescription<AskedValue> = factDescriptions[fact];
    return closed.map((value) => factCriterion(fact, value));
  }),
  { kind: "creatorVerified", verified: true },
  { kind: "creatorVerified", verified: false },
];

/** The closed criteria that an asset meets: a bit for each, by its place in the list. A safe integer. */
export const closedBitsOf = (facts: AssetFacts): number =>
  closedCriteria.reduce(
    (bits, criterion, place) => (matchesCriterion(criterion, facts) ? bits + 2 ** place : bits),
    0,
  );

/** Whether the closed criterion at a place is met. */
export const hasClosedBit = (bits: number, place: number): boolean => ((bits / 2 ** place) & 1) === 1;
