import { type BriefFacts, closedCriteria, type Ordinal, termKey } from "@lamplight/core";

/** The terms that are always in memory, each with its key and its bit of `BriefFacts.closed`. */
export const closedTerms: readonly {
  readonly criterion: (typeof closedCriteria)[number];
  readonly key: string;
  readonly place: number;
}[] = closedCriteria.map((criterion, place) => ({ criterion, key: termKey(criterion)!, place }));

/** Ordinals of the assets that meet each closed term. */
export const metByTerm = (
  assets: readonly { readonly ordinal: Ordinal; readonly facts: BriefFacts }[],
): readonly (readonly Ordinal[])[] => {
  const met: Ordinal[][] = closedTerms.map(() => []);
  for (const { ordinal, facts } of assets)
    // Bits above the 32nd are lost to the operators for bits.
    for (let place = 0, bits = facts.closed; bits > 0; place++) {
      const half = Math.floor(bits / 2);
      if (bits - half * 2 === 1) met[place]!.push(ordinal);
      bits = half;
    }
  return met;
};
