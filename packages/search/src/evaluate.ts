import type { AssetQuery } from "@lamplight/core";
import { both, counted, either, without } from "./bitmap/combined-set.ts";
import type { CountedSet, MemberSet } from "./bitmap/member-set.ts";

/**
 * The boolean group over the members of each criterion: all or any, then the complement within existing assets.
 * No criteria match everything (negated: nothing).
 */
export const evaluate = (
  query: Pick<AssetQuery, "match" | "negate">,
  members: readonly MemberSet[],
  existing: MemberSet,
): CountedSet => {
  const matches = matchGroup(query.match, members, existing);
  return counted(query.negate ? without(existing, matches) : matches);
};

const matchGroup = (match: "all" | "any", members: readonly MemberSet[], existing: MemberSet): MemberSet => {
  if (members.length === 0) return existing;
  // Smallest first: an intersection never grows, and a short list only probes the others.
  const bySize = members.toSorted((a, b) => a.sizeMax - b.sizeMax);
  return bySize.reduce((soFar, next) => (match === "all" ? both(soFar, next) : either(soFar, next)));
};
