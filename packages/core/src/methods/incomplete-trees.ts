// Finds the incomplete trees that an answer must name: those whose missing leaves could change it.

import { descriptionOf, isFactCriterion } from "../domain/fact-criteria.ts";
import type { AssetQuery, Criterion, TokenType } from "../domain/search.ts";
import type { WholeAsset } from "../ports/reads.ts";
import { treeOf } from "../shaping/tree-of.ts";
import type { Call } from "./method.ts";

/** The asset that was not found may be a missing leaf of any tree. */
export const noteTreesOfAbsence = (call: Call): void =>
  call.noteIncompleteTrees(call.incompleteTrees.map(({ tree }) => tree));

/** A missing leaf changes a known asset only in its own tree. An asset that is not compressed never changes. */
export const noteTreeOfAsset = (call: Call, { own, isTreeIncomplete }: WholeAsset): void => {
  if (isTreeIncomplete) call.noteIncompleteTrees([treeOf(own.document)!]);
};

export const noteTreesOfSearch = (call: Call, query: AssetQuery): void => {
  if (call.incompleteTrees.length === 0) return;
  const trees = call.incompleteTrees.map(({ tree }) => tree);
  call.noteIncompleteTrees(trees.filter((tree) => mayMatchLeaf(query, tree)));
};

/** Result of a criterion for an unknown leaf of a tree; null = it depends on the leaf. */
type Verdict = boolean | null;

/** Whether any leaf of that tree can match. */
const mayMatchLeaf = ({ criteria, match, negate }: AssetQuery, tree: string): boolean => {
  const verdicts = criteria.map((criterion) => verdictOf(criterion, tree));
  // One such criterion decides the whole group.
  const decisive = match === "any" && criteria.length > 0;
  const group = verdicts.includes(decisive) ? decisive : verdicts.includes(null) ? null : !decisive;
  return group === null || group !== negate;
};

/** Facts that all compressed assets of a tree share. */
const verdictOf = (criterion: Criterion, tree: string): Verdict => {
  if (isFactCriterion(criterion)) return descriptionOf(criterion).ofLeaf(criterion.value, tree);
  switch (criterion.kind) {
    case "owner":
      return criterion.ownerModel === "token" ? false : null;
    case "nothing":
      return false;
    case "group":
      return criterion.key === "collection" ? null : false;
    case "tokenType":
      return compressedTypes.has(criterion.tokenType);
    case "creator":
    case "creatorVerified":
    case "royaltyTarget":
    case "inherits":
    case "name":
      return null;
    default:
      return criterion satisfies never;
  }
};

const compressedTypes: ReadonlySet<TokenType> = new Set(["nonFungible", "compressedNft", "all"]);
