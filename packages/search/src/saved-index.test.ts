import { deserialize, serialize } from "node:v8";
import { closedCriteria, termKey } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dumpIndex, restoreIndex, type SavedIndex } from "./saved-index.ts";
import { SearchIndex } from "./search-index.ts";
import { runThrough } from "./slices.ts";
import { searchOf, stateOf, take as takeAll } from "../test/index-state.ts";
import { NaiveSearch } from "../test/naive-search.ts";
import { criteria, history, queryShape } from "../test/random-assets.ts";
import { OrdinalSet } from "./bitmap/ordinal-set.ts";

/** Parts of which a few assets fill many. */
const PART_BITS = 3;

describe("restoreIndex", () => {
  test("answers and goes on changing as the index that was saved", async () => {
    await fc.assert(
      fc.asyncProperty(history(40), history(60), queryShape, async (first, second, shape) => {
        const naive = new NaiveSearch();
        const index = new SearchIndex(PART_BITS);
        for (const batch of first) takeAll(index, naive, naive.apply([...batch]));
        const saved = deserialize(serialize(runThrough(dumpIndex(index)))) as SavedIndex;
        const restored = runThrough(restoreIndex(saved, PART_BITS))!;
        for (const batch of second) takeAll(restored, naive, naive.apply([...batch]));
        const search = searchOf(restored, naive.terms());
        const answer = await search.searchAssets({ ...shape, start: { kind: "page", page: 1 } });
        const expected = naive.ordered(shape);
        expect(answer.total).toBe(expected.length);
        expect(answer.ordinals).toEqual(expected.slice(0, shape.limit));
      }),
      { numRuns: 100 },
    );
  });

  test("stands, once caught up, where the index does that went on while it was copied", () => {
    fc.assert(
      fc.property(
        history(40),
        fc.array(history(40), { minLength: 1, maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }),
        criteria,
        (first, later, pauses, asked) => {
          const naive = new NaiveSearch();
          const index = new SearchIndex(PART_BITS);
          const take = (batch: Parameters<NaiveSearch["apply"]>[0]): void =>
            takeAll(index, naive, naive.apply(batch));
          for (const batch of first) take([...batch]);
          for (const criterion of asked)
            if (termKey(criterion) !== null)
              index.promote(criterion, OrdinalSet.fromSorted(naive.ordinalsOf(criterion)));
          const rest = later.flat();
          const dump = dumpIndex(index);
          let step = dump.next();
          for (let slice = 0; step.done !== true; slice++) {
            const pause = pauses[slice % pauses.length]!;
            if (slice % pause === 0) take([...(rest.shift() ?? [])]);
            step = dump.next();
          }
          const saved = deserialize(serialize(step.value)) as SavedIndex;
          const restored = runThrough(restoreIndex(saved, PART_BITS))!;
          expect(restored.isAt(restored.changeSeq)).toBe(step.value.unsure.length === 0);
          for (const batch of rest) take([...batch]);
          takeAll(restored, naive, naive.log.slice(restored.changeSeq));
          expect(stateOf(restored)).toEqual(stateOf(index));
        },
      ),
      { numRuns: 150 },
    );
  });

  test("refuses what another version saved", () => {
    expect(runThrough(restoreIndex({ ...runThrough(dumpIndex(new SearchIndex())), version: 0 }))).toBeNull();
  });

  test("refuses one without a closed criterion, whose term would be empty", () => {
    const saved = runThrough(dumpIndex(new SearchIndex()));
    expect(runThrough(restoreIndex(saved))).not.toBeNull();
    for (const criterion of closedCriteria) {
      const terms = saved.terms.filter((term) => termKey(term.criterion) !== termKey(criterion));
      expect(runThrough(restoreIndex({ ...saved, terms }))).toBeNull();
    }
  });
});
