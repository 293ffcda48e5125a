import type { AssetFacts } from "../domain/asset.ts";
import { type AskedFact, askedFactOf, askedValueOf, type FactCriterion } from "../domain/fact-criteria.ts";
import { interfaceNumber, ownerModelNumber, royaltyModelNumber } from "./asset-row.ts";
import { u64ToColumn } from "./u64-column.ts";

/** Facts that are a word of a list, and a number in their column. */
type WordFact = {
  [Fact in AskedFact]: NonNullable<AssetFacts[Fact]> extends string ? Fact : never;
}[AskedFact];

const numberOf: { readonly [Fact in WordFact]: (word: NonNullable<AssetFacts[Fact]>) => number } = {
  interface: interfaceNumber,
  ownerModel: ownerModelNumber,
  royaltyModel: royaltyModelNumber,
};

const u64Max = 2n ** 64n - 1n;

/** The value of a fact as its column has it; null = no column can have it, so no asset does. */
export const factColumnOf = (criterion: FactCriterion): Uint8Array | number | bigint | boolean | null => {
  const value = askedValueOf(criterion);
  if (typeof value === "bigint") return value >= 0n && value <= u64Max ? u64ToColumn(value) : null;
  if (typeof value !== "string") return value;
  return (numberOf[askedFactOf(criterion) as WordFact] as (word: string) => number)(value);
};
