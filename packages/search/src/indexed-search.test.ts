import { type AssetChange, type AssetPage, type AssetQuery, encodeAssetCursor } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OrdinalSet } from "./bitmap/ordinal-set.ts";
import { SearchIndex } from "./search-index.ts";
import { searchOf, take } from "../test/index-state.ts";
import { NaiveSearch, type NaiveHolding } from "../test/naive-search.ts";
import { history, idOf, keyOf, queryShape } from "../test/random-assets.ts";

/** `npm test` runs few; the chaos bench sets more. */
const RUNS = Number(process.env["LAMPLIGHT_SEARCH_RUNS"] ?? 150);

/** Parts of which a few assets fill many, and one that none fills. */
const partBits = fc.constantFrom(2, 4, 10, undefined);

const holdings: readonly NaiveHolding[] = [
  { owner: keyOf(0), mint: keyOf(1), positive: true },
  { owner: keyOf(0), mint: keyOf(2), positive: false },
  { owner: keyOf(1), mint: keyOf(3), positive: true },
];

const built = (
  batches: Parameters<NaiveSearch["apply"]>[0][],
  bits?: number,
): { naive: NaiveSearch; index: SearchIndex } => {
  const naive = new NaiveSearch();
  naive.holdings = holdings;
  const index = new SearchIndex(bits);
  for (const batch of batches) take(index, naive, naive.apply(batch));
  return { naive, index };
};

const expectedPage = (ordered: number[], query: AssetQuery, at: number): number[] => {
  const { start, limit } = query;
  if (start.kind === "page") return ordered.slice((start.page - 1) * limit, start.page * limit);
  return start.kind === "before"
    ? ordered.slice(Math.max(0, at - limit), at)
    : ordered.slice(at + 1, at + 1 + limit);
};

describe("searchIndexed", () => {
  test("answers as a naive model does, regardless of the history, criteria, order and page", async () => {
    await fc.assert(
      fc.asyncProperty(
        history(60),
        queryShape,
        fc.integer({ min: 1, max: 8 }),
        fc.nat(),
        partBits,
        async (batches, shape, page, pick, bits) => {
          const { naive, index } = built(
            batches.map((batch) => [...batch]),
            bits,
          );
          const search = searchOf(index, naive.terms());
          const ordered = naive.ordered(shape);
          const paged: AssetQuery = { ...shape, start: { kind: "page", page } };
          const answer = await search.searchAssets(paged);
          expect(answer.total).toBe(ordered.length);
          expect(answer.ordinals).toEqual(expectedPage(ordered, paged, 0));
          if (ordered.length === 0) return;
          const at = pick % ordered.length;
          for (const kind of ["before", "after"] as const) {
            const from: AssetQuery = { ...shape, start: { kind, id: naive.assets.get(ordered[at]!)!.id } };
            expect((await search.searchAssets(from)).ordinals).toEqual(expectedPage(ordered, from, at));
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("a kept term stays equal to its criterion through every change", async () => {
    await fc.assert(
      fc.asyncProperty(history(40), history(40), queryShape, async (first, second, shape) => {
        const { naive, index } = built(first.map((batch) => [...batch]));
        for (const criterion of shape.criteria)
          if (criterion.kind !== "owner" || criterion.ownerModel === "single")
            index.promote(
              criterion,
              OrdinalSet.fromSorted((await naive.terms().listOrdinals(criterion, 1e9))!),
            );
        for (const batch of second) take(index, naive, naive.apply(batch));
        const search = searchOf(index, naive.terms());
        const answer = await search.searchAssets({ ...shape, start: { kind: "page", page: 1 } });
        expect(answer.total).toBe(naive.ordered(shape).length);
      }),
      { numRuns: RUNS },
    );
  });

  test("a walk by cursor meets every match once, even when the last asset shown vanishes", async () => {
    await fc.assert(
      fc.asyncProperty(history(60), queryShape, partBits, async (batches, shape, bits) => {
        const { naive, index } = built(
          batches.map((batch) => [...batch]),
          bits,
        );
        const expected = naive.ordered(shape);
        const met: number[] = [];
        let start: AssetQuery["start"] = { kind: "page", page: 1 };
        for (let pages = 0; pages <= expected.length; pages++) {
          const search = searchOf(index, naive.terms());
          const page: AssetPage = await search.searchAssets({ ...shape, start });
          met.push(...page.ordinals);
          if (page.cursor === null) break;
          // Assets that inherit from a collection leave the answer with it; the walk over such changes is tested below.
          const last = page.ordinals.at(-1)!;
          if (!isInheritedFrom(naive, last))
            take(index, naive, naive.apply([{ ordinal: last, facts: null }]));
          start = { kind: "cursor", cursor: page.cursor };
        }
        expect(met).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  test("a walk while the index changes shows anything that stayed once: in moving orders, regardless of what did not change", async () => {
    await fc.assert(
      fc.asyncProperty(
        history(80),
        fc.array(commit(80), { minLength: 1, maxLength: 12 }),
        queryShape,
        fc.boolean(),
        async (batches, commits, shape, byCursor) => {
          const { naive, index } = built(batches.map((batch) => [...batch]));
          const walked = await walkAmidCommits({ naive, index, shape, commits, byCursor });
          expect(walked.repeated).toEqual([]);
          expect(walked.missed).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("catches an index up that is behind the view", async () => {
    const { naive, index } = built([[]]);
    naive.apply([{ ordinal: 0, facts: { ...fc.sample(factsOfOne, { numRuns: 1, seed: 1 })[0]! } }]);
    const query: AssetQuery = {
      criteria: [],
      match: "all",
      negate: false,
      sort: "id",
      direction: "asc",
      limit: 5,
      start: { kind: "page", page: 1 },
    };
    expect((await searchOf(index, naive.terms()).searchAssets(query)).total).toBe(1);
  });

  test("a cursor of a vanished asset that shares a prefix is compared with the whole id in the row", async () => {
    const { naive, index } = built([[{ ordinal: 0, facts: { ...firstFacts, id: tiedId(5) } }]]);
    const terms = naive.terms();
    let rowsRead = 0;
    const readPositions = (ordinals: readonly number[]) => {
      rowsRead += ordinals.length;
      return terms.readPositions(ordinals);
    };
    const walk = { sort: "id", direction: "asc" } as const;
    for (const [last, expected] of [
      [4, [0]],
      [5, []],
      [6, []],
    ] as const) {
      const cursor = encodeAssetCursor({ ...walk, position: 0, id: tiedId(last) });
      const query = { ...walk, criteria: [], match: "all", negate: false, limit: 5 } as const;
      const search = searchOf(index, { ...terms, readPositions });
      const page = await search.searchAssets({ ...query, start: { kind: "cursor", cursor } });
      expect(page.ordinals).toEqual(expected);
    }
    expect(rowsRead).toBe(3);
  });

  test("changes whose ids share a prefix are refused until the other id was read", () => {
    const { naive, index } = built([[{ ordinal: 0, facts: { ...firstFacts, id: tiedId(5) } }]]);
    const changes = naive.apply([{ ordinal: 1, facts: { ...firstFacts, id: tiedId(4) } }]);
    expect(index.unknownTiedBy(changes)).toEqual([0]);
    expect(() => index.apply(changes, naive.log.length)).toThrow("the id of asset number 0 was not read");
    take(index, naive, changes);
    expect(index.unknownTiedBy(changes)).toEqual([]);
    expect([...index.order("id").toArray()]).toEqual([1, 0]);
  });

  test("names the parameter when the page starts at an asset that is not there", async () => {
    const { naive, index } = built([[]]);
    const search = searchOf(index, naive.terms());
    const query: AssetQuery = {
      criteria: [],
      match: "all",
      negate: false,
      sort: "created",
      direction: "asc",
      limit: 5,
      start: { kind: "after", id: idOf(1) },
    };
    await expect(search.searchAssets(query)).rejects.toThrow("after is not a known asset");
  });
});

const isInheritedFrom = (naive: NaiveSearch, ordinal: number): boolean => {
  const id = naive.assets.get(ordinal)!.id;
  return [...naive.assets.values()].some(
    ({ inherits }) => inherits !== null && Buffer.compare(inherits.from, id) === 0,
  );
};

const factsOfOne = history(1)
  .map((batches) => batches.flat().find((change) => change.facts !== null)?.facts)
  .filter((facts) => facts !== undefined)
  .map((facts) => facts!);

const firstFacts = fc.sample(factsOfOne, { numRuns: 1, seed: 1 })[0]!;

/** Ids that share all but the last byte. */
const tiedId = (last: number): Uint8Array => new Uint8Array(32).fill(9).fill(last, 31);

/** One commit between two pages: assets come, change and vanish; a first slot only ever falls. */
const commit = (assets: number): fc.Arbitrary<readonly Omit<AssetChange, "changeSeq">[]> =>
  history(assets).map((batches) => batches[0]!.slice(0, 12));

interface Walk {
  readonly naive: NaiveSearch;
  readonly index: SearchIndex;
  readonly shape: Omit<AssetQuery, "start">;
  readonly commits: readonly (readonly Omit<AssetChange, "changeSeq">[])[];
  /** Else by `after`, whose asset has to stay. */
  readonly byCursor: boolean;
}

/** Walks page by page with a commit between two; shows what stayed in the answer throughout and was not shown once. */
const walkAmidCommits = async ({
  naive,
  index,
  shape,
  commits,
  byCursor,
}: Walk): Promise<{ repeated: number[]; missed: number[] }> => {
  const met: number[] = [];
  const touched = new Set<number>();
  let stayed = new Set(naive.ordered(shape));
  let start: AssetQuery["start"] = { kind: "page", page: 1 };
  for (let pages = 0; ; pages++) {
    const search = searchOf(index, naive.terms());
    const page: AssetPage = await search.searchAssets({ ...shape, start });
    met.push(...page.ordinals);
    const last = page.ordinals.at(-1);
    if (last === undefined || page.cursor === null) break;
    start = byCursor
      ? { kind: "cursor", cursor: page.cursor }
      : { kind: "after", id: naive.assets.get(last)!.id };
    const batch = (commits[pages] ?? []).filter(({ ordinal }) => byCursor || ordinal !== last);
    // An asset keeps its first slot: what sorting by it relies on.
    const kept = batch.map(({ ordinal, facts: changed }) => ({
      ordinal,
      facts: changed && {
        ...changed,
        createdSlot: naive.assets.get(ordinal)?.createdSlot ?? changed.createdSlot,
      },
    }));
    take(index, naive, naive.apply(kept));
    for (const { ordinal } of kept) touched.add(ordinal);
    const now = new Set(naive.ordered(shape));
    stayed = new Set([...stayed].filter((ordinal) => now.has(ordinal)));
  }
  const promised = [...stayed].filter(
    (ordinal) => (shape.sort !== "updated" || !touched.has(ordinal)) && !vanishedInBetween(naive, ordinal),
  );
  const times = (ordinal: number): number => met.filter((one) => one === ordinal).length;
  return {
    repeated: promised.filter((ordinal) => times(ordinal) > 1),
    missed: promised.filter((ordinal) => times(ordinal) === 0),
  };
};

/** Whether it was ever gone, even between two commits of one batch. */
const vanishedInBetween = (naive: NaiveSearch, ordinal: number): boolean => {
  const changes = naive.log.filter((change) => change.ordinal === ordinal);
  const from = changes.findLastIndex(({ facts: changed }) => changed === null);
  return from > 0;
};
