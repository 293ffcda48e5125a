import { closedCriteria, termKey } from "@lamplight/core";

/** The terms that are always in memory, each with its key and its bit of `BriefFacts.closed`. */
export const closedTerms: readonly {
  readonly criterion: (typeof closedCriteria)[number];
  readonly key: string;
  readonly place: number;
}[] = closedCriteria.map((criterion, place) => ({ criterion, key: termKey(criterion)!, place }));
