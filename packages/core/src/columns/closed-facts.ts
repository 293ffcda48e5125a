// The facts that closed criteria ask for, in one number. A new search index reads it of every asset there is: a column
// of its own for each would double the time.

import { brokenInvariant } from "@lamplight/errors";
import type { AssetFacts } from "../domain/asset.ts";
import {
  type AskedFact,
  askedFacts,
  type AskedValue,
  factCriterion,
  type FactDescription,
  factDescriptions,
  hasFact,
} from "../domain/fact-criteria.ts";
import type { Criterion } from "../domain/search.ts";
import { factColumns } from "./asset-row.ts";
import type { Column, ColumnForms } from "./column.ts";

/** A criterion whose term is always in memory. */
export interface ClosedCriterion {
  readonly criterion: Criterion;
  /** Whether an asset with these closed facts meets it. */
  isMet(closedFacts: number): boolean;
}

/** Bits of the number that follow from one column. */
export interface ClosedBits {
  /** The lowest bit. */
  readonly at: number;
  readonly column: string;
  /** The one bit says whether the column has this value; null = the bits are the number in the column. */
  readonly equals: bigint | null;
  /** The bits of an asset, at their place. */
  of(facts: AssetFacts): number;
}

const BITS_MAX = 31;

const numbers: ColumnForms<number, string> = {
  flagTo: Number,
  flagFrom: Boolean,
  textTo: (text) => text,
  textFrom: String,
};

/** Each criterion and each column gets the next bits. */
const layOut = () => {
  const columns: ClosedBits[] = [];
  const criteria: ClosedCriterion[] = [];
  let end = 0;
  const take = (bits: number): number => {
    end += bits;
    if (end > BITS_MAX) throw brokenInvariant(`closed facts take more than ${BITS_MAX} bits`);
    return end - bits;
  };
  const takeBit = (criterion: Criterion): number => {
    const at = take(1);
    criteria.push({ criterion, isMet: (closedFacts) => ((closedFacts >>> at) & 1) === 1 });
    return at;
  };
  const takeNumber = (
    fact: AskedFact,
    values: readonly AskedValue[],
    numberOf: (value: unknown) => number,
  ) => {
    const bits = 32 - Math.clz32(Math.max(...values.map(numberOf)));
    const at = take(bits);
    const mask = 2 ** bits - 1;
    for (const value of values) {
      const number = numberOf(value);
      const isMet = (closedFacts: number): boolean => ((closedFacts >>> at) & mask) === number;
      criteria.push({ criterion: factCriterion(fact, value), isMet });
    }
    return at;
  };
  for (const fact of askedFacts) {
    const { closed, isOpen }: FactDescription<AskedValue> = factDescriptions[fact];
    const { name: column, encode } = factColumns[fact] as Column<unknown>;
    if (isOpen)
      for (const value of closed) {
        const criterion = factCriterion(fact, value);
        const at = takeBit(criterion);
        const equals = encode(value, numbers) as bigint;
        columns.push({ at, column, equals, of: (facts) => Number(hasFact(criterion, facts)) << at });
      }
    else {
      const numberOf = (value: unknown): number => encode(value, numbers) as number;
      const at = takeNumber(fact, closed, numberOf);
      columns.push({ at, column, equals: null, of: (facts) => numberOf(facts[fact]) << at });
    }
  }
  return {
    columns,
    verified: takeBit({ kind: "creatorVerified", verified: true }),
    unverified: takeBit({ kind: "creatorVerified", verified: false }),
    criteria,
  };
};

/** The bits that columns of `asset` give, and those of its creators: whether any is verified, and whether any is not. */
export const closedBits = layOut();

/** Criteria with few possible values, and values that most assets share: their terms are always in memory. */
export const closedCriteria: readonly ClosedCriterion[] = closedBits.criteria;

/** The number of an asset. */
export const closedFactsOf = (facts: AssetFacts): number => {
  const { columns, verified, unverified } = closedBits;
  let closedFacts = 0;
  for (const bits of columns) closedFacts |= bits.of(facts);
  for (const creator of facts.creators) closedFacts |= 1 << (creator.verified ? verified : unverified);
  return closedFacts;
};
