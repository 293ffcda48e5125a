// Finds the incomplete trees that an answer must name: those whose missing leaves could change it.

import { descriptionOf } from "../domain/criteria.ts";
import type { AssetQuery } from "../domain/search.ts";
import type { Call } from "./method.ts";

/** The asset that was not found may be a missing leaf of any tree. */
export const noteTreesOfAbsence = (call: Call): void =>
  call.noteIncompleteTrees(call.incompleteTrees.map(({ tree }) => tree));

export const noteTreesOfSearch = (call: Call, query: AssetQuery): void => {
  if (call.incompleteTrees.length === 0) return;
  const trees = call.incompleteTrees.map(({ tree }) => tree);
  call.noteIncompleteTrees(trees.filter((tree) => mayMatchLeaf(query, tree)));
};

/** Whether any leaf of that tree can match. */
const mayMatchLeaf = ({ criteria, match, negate }: AssetQuery, tree: string): boolean => {
  const verdicts = criteria.map((criterion) => descriptionOf(criterion).ofLeaf(criterion, tree));
  // One such criterion decides the whole group.
  const decisive = match === "any" && criteria.length > 0;
  const group = verdicts.includes(decisive) ? decisive : verdicts.includes(null) ? null : !decisive;
  return group === null || group !== negate;
};
