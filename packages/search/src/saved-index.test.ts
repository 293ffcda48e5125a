import { deserialize, serialize } from "node:v8";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIndexedSearch } from "./indexed-search.ts";
import { dumpIndex, restoreIndex, type SavedIndex } from "./saved-index.ts";
import { SearchIndex } from "./search-index.ts";
import { runThrough } from "./slices.ts";
import { NaiveSearch } from "./testing/naive-search.ts";
import { history, queryShape } from "./testing/random-assets.ts";

describe("restoreIndex", () => {
  test("answers and goes on changing as the index that was saved", async () => {
    await fc.assert(
      fc.asyncProperty(history(40), history(60), queryShape, async (first, second, shape) => {
        const naive = new NaiveSearch();
        const index = new SearchIndex();
        for (const batch of first) index.apply(naive.apply([...batch]), naive.log.length);
        const restored = runThrough(restoreIndex(deserialize(serialize(dumpIndex(index))) as SavedIndex))!;
        for (const batch of second) restored.apply(naive.apply([...batch]), naive.log.length);
        const search = createIndexedSearch(restored, naive.terms(), {
          searchAssets: () => expect.unreachable(),
        });
        const answer = await search.searchAssets({ ...shape, start: { kind: "page", page: 1 } });
        const expected = naive.ordered(shape);
        expect(answer.total).toBe(expected.length);
        expect(answer.ordinals).toEqual(expected.slice(0, shape.limit));
      }),
      { numRuns: 100 },
    );
  });

  test("refuses what another version saved", () => {
    expect(runThrough(restoreIndex({ ...dumpIndex(new SearchIndex()), version: 0 }))).toBeNull();
  });
});
