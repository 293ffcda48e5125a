import type { AssetChange, AssetFacts, AssetQuery, TermReader } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SearchIndex } from "../search-index.ts";
import { searchOf, take as takeAll } from "../../test/index-state.ts";
import { NaiveSearch } from "../../test/naive-search.ts";
import { RARE_MEMBERS_MAX } from "../terms/read-term.ts";
import { facts, history, keyOf, queryShape } from "../../test/random-assets.ts";
import { RECENT_CHANGES_MAX } from "./recent-changes.ts";

/** `npm test` runs few; the chaos bench sets more. */
const RUNS = Number(process.env["LAMPLIGHT_SEARCH_RUNS"] ?? 150);

type Change = Omit<AssetChange, "changeSeq">;
type Batches = readonly (readonly Change[])[];

/** The changes without removals of unknown assets: the index saw every removed asset before. */
const withoutUnknown = (naive: NaiveSearch, batch: readonly Change[]): Change[] => {
  const known = new Set(naive.assets.keys());
  return batch.filter(({ ordinal, facts: given }) => given !== null || known.has(ordinal));
};

/** A view whose every read lets the store and the index go on by one batch; a few members make a term one to keep. */
const slowTerms = (terms: TermReader, goOn: () => void): TermReader => ({
  ...terms,
  listOrdinals: async (criterion, limit) => {
    const found = await terms.listOrdinals(criterion, limit);
    goOn();
    await Promise.resolve();
    return limit === RARE_MEMBERS_MAX && found!.length > 3 ? null : found;
  },
  filterByName: async (ordinals, name) => {
    goOn();
    await Promise.resolve();
    return terms.filterByName(ordinals, name);
  },
  readFacts: async (ids) => {
    goOn();
    await Promise.resolve();
    return terms.readFacts(ids);
  },
});

describe("a view that is behind the index", () => {
  test("is answered as of its own state, while the index goes on under its reads", async () => {
    await fc.assert(
      fc.asyncProperty(
        history(60),
        history(60),
        fc.array(queryShape, { minLength: 1, maxLength: 3 }),
        fc.nat({ max: 3 }),
        fc.integer({ min: 1, max: 6 }),
        fc.nat(),
        async (first: Batches, later: Batches, shapes, ahead, page, pick) => {
          const naive = new NaiveSearch();
          naive.holdings = [{ owner: keyOf(0), mint: keyOf(1), positive: true }];
          const index = new SearchIndex();
          const take = (batch: readonly Change[]): void =>
            takeAll(index, naive, naive.apply(withoutUnknown(naive, batch)));
          for (const batch of first) take(batch);
          const then = naive.copy();
          const rest = [...later];
          const goOn = (): void => take(rest.shift() ?? []);
          for (let batch = 0; batch < ahead; batch++) goOn();
          const search = searchOf(index, slowTerms(then.terms(), goOn));
          for (const shape of shapes) {
            const ordered = then.ordered(shape);
            const paged = await search.searchAssets({ ...shape, start: { kind: "page", page } });
            expect(paged.total).toBe(ordered.length);
            expect(paged.ordinals).toEqual(ordered.slice((page - 1) * shape.limit, page * shape.limit));
            const at = pick % Math.max(1, ordered.length);
            for (const kind of ["before", "after"] as const)
              if (ordered.length > 0) {
                const start = { kind, id: then.assets.get(ordered[at]!)!.id };
                const expected =
                  kind === "before"
                    ? ordered.slice(Math.max(0, at - shape.limit), at)
                    : ordered.slice(at + 1, at + 1 + shape.limit);
                expect((await search.searchAssets({ ...shape, start })).ordinals).toEqual(expected);
              }
            expect(await walk(search, shape, ordered.length)).toEqual(ordered);
          }
          for (const { criterion, members } of index.terms())
            expect(members.toArray()).toEqual(await naive.terms().listOrdinals(criterion, 1e9));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("is left to the store once more changed than is remembered", async () => {
    const naive = new NaiveSearch();
    const index = new SearchIndex();
    const [one] = fc.sample(facts(1), { numRuns: 1, seed: 3 });
    const change = (asset: AssetFacts): void =>
      takeAll(index, naive, naive.apply([{ ordinal: 1, facts: asset }]));
    change(one!);
    const then = naive.copy();
    const query: AssetQuery = {
      criteria: [],
      match: "all",
      negate: false,
      sort: "updated",
      direction: "asc",
      limit: 5,
      start: { kind: "page", page: 1 },
    };
    const search = searchOf(index, then.terms());
    for (let changes = 0; changes < RECENT_CHANGES_MAX; changes++) change(one!);
    expect((await search.searchAssets(query)).total).toBe(1);
    change(one!);
    await expect(search.searchAssets(query)).rejects.toThrow("own search was asked");
  });

  test("is answered with an asset that came and went between two looks of the index", async () => {
    const naive = new NaiveSearch();
    const index = new SearchIndex();
    const [one] = fc.sample(facts(1), { numRuns: 1, seed: 3 });
    naive.apply([{ ordinal: 1, facts: one! }]);
    const then = naive.copy();
    naive.apply([{ ordinal: 1, facts: null }]);
    takeAll(index, naive, [naive.log.at(-1)!]);
    const query: AssetQuery = {
      criteria: [],
      match: "all",
      negate: false,
      sort: "id",
      direction: "asc",
      limit: 5,
      start: { kind: "page", page: 1 },
    };
    const search = searchOf(index, then.terms());
    expect((await search.searchAssets(query)).ordinals).toEqual([1]);
  });
});

/** Page by page by cursor, each of one asset at least. */
const walk = async (
  search: ReturnType<typeof searchOf>,
  shape: Omit<AssetQuery, "start">,
  pagesMax: number,
): Promise<number[]> => {
  const met: number[] = [];
  let start: AssetQuery["start"] = { kind: "page", page: 1 };
  for (let pages = 0; pages <= pagesMax; pages++) {
    const page = await search.searchAssets({ ...shape, start });
    met.push(...page.ordinals);
    if (page.cursor === null) return met;
    start = { kind: "cursor", cursor: page.cursor };
  }
  return met;
};
