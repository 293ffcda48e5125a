import type { AssetFacts } from "./asset.ts";
import { closedCriteria, matchesCriterion } from "./criteria.ts";

/** The closed criteria that an asset meets: a bit for each, by its place in the list. A safe integer. */
export const closedBitsOf = (facts: AssetFacts): number =>
  closedCriteria.reduce(
    (bits, criterion, place) => (matchesCriterion(criterion, facts) ? bits + 2 ** place : bits),
    0,
  );
