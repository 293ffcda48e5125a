import type { AssetQuery } from "@lamplight/core";
import { OrdinalSet } from "./bitmap/ordinal-set.ts";

/**
 * The boolean group over the members of each criterion: all or any, then the complement within existing assets.
 * No criteria match everything (negated: nothing).
 */
export const evaluate = (
  query: Pick<AssetQuery, "match" | "negate">,
  members: readonly OrdinalSet[],
  existing: OrdinalSet,
): OrdinalSet => {
  const matches = matchGroup(query.match, members, existing);
  return query.negate ? existing.andNot(matches) : matches;
};

const matchGroup = (
  match: "all" | "any",
  members: readonly OrdinalSet[],
  existing: OrdinalSet,
): OrdinalSet => {
  if (members.length === 0) return existing;
  // Smallest first: an intersection never grows, and a short list only probes the others.
  const bySize = members.toSorted((a, b) => a.size - b.size);
  return bySize.reduce((soFar, next) => (match === "all" ? soFar.and(next) : soFar.or(next)));
};
