import { askedFacts, type Criterion, factDescriptions, type FactDescription } from "@lamplight/core";

/** Criteria with few possible values, and values that most assets share: their terms are always in memory. */
export const closedCriteria: readonly Criterion[] = [
  ...askedFacts.flatMap((fact) => {
    const description: FactDescription = factDescriptions[fact];
    return description.closed.map((value) => description.of(value));
  }),
  { kind: "creatorVerified", verified: true },
  { kind: "creatorVerified", verified: false },
];
