import { type AssetFacts, type AssetQuery, inheritable, type TermReader } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SearchIndex } from "../search-index.ts";
import { searchOf, take } from "../../test/index-state.ts";
import { NaiveSearch } from "../../test/naive-search.ts";
import { facts, idOf, keyOf } from "../../test/random-assets.ts";
import { RARE_MEMBERS_MAX } from "./read-term.ts";

const COLLECTIONS = 5;
const [plain] = fc.sample(facts(9), { numRuns: 1, seed: 1 });
const authority = keyOf(1);

const collection = (number: number): AssetFacts => ({
  ...plain!,
  id: idOf(number),
  interface: "MplCoreCollection",
  inherits: null,
  authority,
});

const member = (number: number): AssetFacts => ({
  ...plain!,
  id: idOf(number),
  interface: "MplCoreAsset",
  inherits: { from: idOf(number % COLLECTIONS), facts: inheritable.authority },
  authority: null,
});

const query: AssetQuery = {
  criteria: [{ kind: "authority", value: authority }],
  match: "all",
  negate: false,
  sort: "none",
  direction: "asc",
  limit: 100,
  start: { kind: "page", page: 1 },
};

/**
 * Five collections with one authority, and two members of each.
 *
 * @param members - lists the members of a collection, in place of these; null = there are more than the limit
 */
const setup = (members?: (limit: number) => Promise<Uint32Array | null>) => {
  const naive = new NaiveSearch();
  const index = new SearchIndex();
  const assets = Array.from({ length: 3 * COLLECTIONS }, (_, ordinal) => ({
    ordinal,
    facts: ordinal < COLLECTIONS ? collection(ordinal) : member(ordinal),
  }));
  take(index, naive, naive.apply(assets));
  const reads = { rows: 0, members: 0 };
  const terms = (): TermReader => {
    const all = naive.terms();
    return {
      ...all,
      readPositions: (ordinals) => {
        reads.rows += ordinals.length;
        return all.readPositions(ordinals);
      },
      listOrdinals: (criterion, limit) => {
        if (criterion.kind === "inherits") reads.members += 1;
        const isReplaced = criterion.kind === "inherits" && members !== undefined;
        return isReplaced ? members(limit) : all.listOrdinals(criterion, limit);
      },
    };
  };
  const search = async (more: Partial<AssetQuery> = {}) => {
    const { ordinals } = await searchOf(index, terms()).searchAssets({ ...query, ...more });
    return ordinals;
  };
  return { naive, index, reads, search };
};

/** The collections, and the members of some. */
const having = (...collections: number[]): number[] =>
  Array.from({ length: 3 * COLLECTIONS }, (_, ordinal) => ordinal).filter(
    (ordinal) => ordinal < COLLECTIONS || collections.includes(ordinal % COLLECTIONS),
  );

describe("assets that inherit from many collections", () => {
  test("are read once, and found again without a row", async () => {
    const { naive, index, reads, search } = setup();
    const all = Array.from({ length: 3 * COLLECTIONS }, (_, ordinal) => ordinal);
    expect(await search()).toEqual(all);
    expect(reads).toEqual({ rows: COLLECTIONS, members: COLLECTIONS });
    expect(await search()).toEqual(all);
    expect(reads).toEqual({ rows: COLLECTIONS, members: COLLECTIONS });
    // The kept term follows its members.
    take(index, naive, naive.apply([{ ordinal: 7, facts: null }]));
    expect(await search()).toEqual(all.filter((ordinal) => ordinal !== 7));
    expect(reads).toEqual({ rows: COLLECTIONS, members: COLLECTIONS });
  });

  test("are read one collection at a time where these have many", async () => {
    const MANY = 100_000;
    const limits: number[] = [];
    let atOnce = 0;
    const { search } = setup(async (limit) => {
      if (limit === RARE_MEMBERS_MAX) return null;
      limits.push(limit);
      atOnce += 1;
      await new Promise(setImmediate);
      expect(atOnce).toBe(1);
      atOnce -= 1;
      return limits.length > 1 ? null : Uint32Array.from({ length: MANY }, (_, ordinal) => ordinal);
    });
    // The next list may have the rest of the bound, and none is read after it.
    await expect(search()).rejects.toMatchObject({ code: "QUERY__OVER_BUDGET" });
    expect(limits).toEqual([10_000_000, 9_900_000]);
  });

  test("follow collections that changed after the view", async () => {
    const { reads, search } = setup();
    const renamed = { id: idOf(0), facts: { ...collection(0), name: "renamed" } };
    expect(await search()).toEqual(having(0, 1, 2, 3, 4));
    const { members } = reads;
    expect(await search({ shared: [renamed] })).toEqual(having(0, 1, 2, 3, 4));
    expect(reads.members).toBe(members);
    const other = { id: idOf(1), facts: { ...collection(1), authority: keyOf(2) } };
    const closed = { id: idOf(2), facts: null };
    const unknown = { id: idOf(99), facts: collection(99) };
    expect(await search({ shared: [renamed, other, closed, unknown] })).toEqual(having(0, 3, 4));
  });
});
