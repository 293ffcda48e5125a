import { closedCriteria, type Criterion, matchesCriterion, termKey, termKeysOf } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OrdinalSet } from "./bitmap/ordinal-set.ts";
import { dumpIndex, restoreIndex } from "./saved-index.ts";
import { KEPT_BYTES_MAX, KEPT_TERMS_MAX } from "./kept-limits.ts";
import { SearchIndex } from "./search-index.ts";
import { runThrough } from "./slices.ts";
import { keepIds } from "./read-ids.ts";
import { inBrief } from "./terms/brief-facts.ts";
import { take } from "../test/index-state.ts";
import { NaiveSearch } from "../test/naive-search.ts";
import { criteria, facts, history } from "../test/random-assets.ts";

const uri = (number: number): Criterion => ({ kind: "jsonUri", value: `https://${number}` });

/** Parts of which a few assets fill many. */
const PART_BITS = 3;

const promoteMany = (index: SearchIndex, count: number): void => {
  for (let number = 0; number < count; number++) index.promote(uri(number), OrdinalSet.empty());
};

/** Every term with its members. */
const membersOf = (index: SearchIndex): unknown[] =>
  [...index.terms()].map(({ criterion, members }) => [criterion, [...members.toArray()]]);

describe("SearchIndex", () => {
  test("keeps as many terms as its bound, and lets the least recently asked go", () => {
    const index = new SearchIndex();
    promoteMany(index, KEPT_TERMS_MAX);
    expect(index.findTerm(uri(0))).not.toBeNull();
    index.promote(uri(-1), OrdinalSet.empty());
    expect(index.findTerm(uri(0))).not.toBeNull();
    expect(index.findTerm(uri(1))).toBeNull();
    expect(index.memory().terms).toBe(KEPT_TERMS_MAX + closedCriteria.length);
  });

  test("keeps no more bytes of terms than its bound", () => {
    const index = new SearchIndex();
    const members = OrdinalSet.fromSorted(Uint32Array.from({ length: 8_000_000 }, (_, at) => at * 20));
    const { byteLength } = members;
    const fitting = Math.floor(KEPT_BYTES_MAX / byteLength);
    expect(fitting).toBeLessThan(40);
    for (let number = 0; number <= fitting; number++) index.promote(uri(number), members);
    expect(index.findTerm(uri(0))).toBeNull();
    expect(index.findTerm(uri(1))?.size).toBe(8_000_000);
    expect(index.memory().termBytes).toBeLessThanOrEqual(KEPT_BYTES_MAX);
  });

  test("keeps the others where one alone takes more bytes than the bound", () => {
    const index = new SearchIndex();
    index.keptBytesMax = 100;
    index.promote(uri(0), OrdinalSet.fromSorted([1, 2, 3]));
    index.promote(uri(1), OrdinalSet.fromSorted(Uint32Array.from({ length: 51 }, (_, at) => at)));
    expect(index.findTerm(uri(0))?.size).toBe(3);
    expect(index.findTerm(uri(1))).toBeNull();
  });

  test("never lets go of a closed term, not even in an index that was saved", () => {
    const index = runThrough(restoreIndex(runThrough(dumpIndex(new SearchIndex()))))!;
    promoteMany(index, KEPT_TERMS_MAX + 100);
    for (const criterion of closedCriteria) expect(index.findTerm(criterion)).not.toBeNull();
  });

  test("is at the end of a fill as it does commit by commit", () => {
    fc.assert(
      fc.property(history(60), fc.boolean(), (batches, late) => {
        const committed = new SearchIndex();
        const filled = new SearchIndex(PART_BITS);
        const naive = new NaiveSearch();
        filled.startFill();
        let changeSeq = 0;
        for (const batch of batches) {
          const changes = naive.apply(
            batch.map((change) => ({
              ...change,
              // A slot that fits no 32 bits.
              facts: change.facts && late ? { ...change.facts, createdSlot: 2 ** 33 } : change.facts,
            })),
          );
          changeSeq += changes.length;
          take(committed, naive, changes, changeSeq);
          filled.applyFill(changes.map(inBrief), changeSeq, true);
        }
        const tied = runThrough(filled.sortFill());
        keepIds(filled.columns, tied, naive.positionsOf(tied), filled.columns.tied);
        runThrough(filled.endFill());
        for (const sort of ["id", "created", "updated"] as const)
          expect([...filled.order(sort).toArray()]).toEqual([...committed.order(sort).toArray()]);
        expect(membersOf(filled)).toEqual(membersOf(committed));
        expect([...filled.existing.toArray()]).toEqual([...committed.existing.toArray()]);
      }),
    );
  });
});

describe("termKeysOf", () => {
  test("names exactly the criteria that an asset meets", () => {
    fc.assert(
      fc.property(facts(1), criteria, (asset, asked) => {
        const keys = new Set(termKeysOf(asset));
        const closed = new Set(closedCriteria.map(termKey));
        for (const criterion of asked) {
          const key = termKey(criterion);
          if (key !== null && !closed.has(key))
            expect(keys.has(key)).toBe(matchesCriterion(criterion, asset));
        }
      }),
      { numRuns: 500 },
    );
  });
});
