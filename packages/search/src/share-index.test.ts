import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stateOf as baseStateOf, take } from "../test/index-state.ts";
import { NaiveSearch } from "../test/naive-search.ts";
import { history } from "../test/random-assets.ts";
import { dumpIndex, restoreIndex } from "./saved-index.ts";
import { SearchIndex } from "./search-index.ts";
import { shareIndex } from "./share-index.ts";
import { runThrough } from "./slices.ts";

/** Parts of which a few assets fill many. */
const PART_BITS = 3;

const stateOf = (index: SearchIndex): unknown => ({
  ...baseStateOf(index),
  columns: [...index.existing.toArray()].map((ordinal) => [
    index.columns.idOrPrefix(ordinal),
    index.columns.createdSlot(ordinal),
    index.columns.updatedSlot(ordinal),
  ]),
});

test("indexes over shared memory go their own ways, each as far as it was brought", () => {
  fc.assert(
    fc.property(history(40), history(60), fc.nat(), (first, second, behind) => {
      const naive = new NaiveSearch();
      const index = new SearchIndex(PART_BITS);
      for (const batch of first) take(index, naive, naive.apply([...batch]));
      const saved = runThrough(dumpIndex(index));
      const shared = shareIndex(saved);
      const restored = (): SearchIndex => runThrough(restoreIndex(shared, PART_BITS))!;
      const [ahead, late] = [restored(), restored()];
      expect(stateOf(ahead)).toEqual(stateOf(index));
      const batches = second.map((batch) => [naive.apply([...batch]), naive.copy()] as const);
      const until = behind % (batches.length + 1);
      // The index in memory of its own says what is right.
      for (const [at, [changes, then]] of batches.entries()) {
        take(ahead, then, changes);
        if (at < until) for (const one of [index, late]) take(one, then, changes);
      }
      expect(stateOf(late)).toEqual(stateOf(index));
      for (const [changes, then] of batches.slice(until))
        for (const one of [index, late]) take(one, then, changes);
      expect(stateOf(late)).toEqual(stateOf(index));
      expect(stateOf(ahead)).toEqual(stateOf(index));
    }),
    { numRuns: 100 },
  );
});

test("the large arrays are not copied when an index is restored, and a part is before it changes", () => {
  const naive = new NaiveSearch();
  const index = new SearchIndex();
  for (const batch of fc.sample(history(40), { numRuns: 1, seed: 1 })[0]!)
    take(index, naive, naive.apply([...batch]));
  const shared = shareIndex(runThrough(dumpIndex(index)));
  const [one, other] = [runThrough(restoreIndex(shared))!, runThrough(restoreIndex(shared))!];
  const ordinal = index.existing.toArray()[0]!;
  // Both read what is written to the shared memory.
  shared.columns.words[0]![ordinal] = 7;
  expect([one.columns.word(ordinal), other.columns.word(ordinal)]).toEqual([7, 7]);
  one.columns.set(ordinal, new Uint8Array(32).fill(255), 1, 1);
  expect([one.columns.word(ordinal), other.columns.word(ordinal)]).toEqual([2 ** 32 - 1, 7]);
});
