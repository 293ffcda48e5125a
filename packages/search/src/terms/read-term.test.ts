import type { Criterion, Ordinal, TermReader } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import { RECENT_CHANGES_MAX } from "../earlier/recent-changes.ts";
import { SearchIndex } from "../search-index.ts";
import { take } from "../../test/index-state.ts";
import { NaiveSearch } from "../../test/naive-search.ts";
import { facts, idOf } from "../../test/random-assets.ts";
import { RARE_MEMBERS_MAX, readTerm } from "./read-term.ts";

const criterion: Criterion = { kind: "jsonUri", value: "https://a" };
const members = Uint32Array.of(2, 3, 5);

const [plain] = fc.sample(facts(9), { numRuns: 1, seed: 1 });

const asset = (ordinal: Ordinal, jsonUri: string) => ({
  ordinal,
  facts: { ...plain!, id: idOf(ordinal), jsonUri },
});

/** Readers of a store that has the term, and more of it than is read each time. */
const slowStore = () => {
  const underWay: PromiseWithResolvers<Uint32Array>[] = [];
  const terms: TermReader = {
    ...new NaiveSearch().terms(),
    listOrdinals: async (_, limit) => {
      if (limit === RARE_MEMBERS_MAX) return null;
      const reading = Promise.withResolvers<Uint32Array>();
      underWay.push(reading);
      return reading.promise;
    },
  };
  return { terms, underWay };
};

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe("readTerm", () => {
  test("reads a term once for all that ask while it is being read", async () => {
    const { terms, underWay } = slowStore();
    const index = new SearchIndex();
    const asking = Array.from({ length: 5 }, () => readTerm(index, terms, criterion));
    await settled();
    expect(underWay).toHaveLength(1);
    underWay[0]!.resolve(members);
    for (const { members: read } of await Promise.all(asking)) expect(read.toArray()).toEqual(members);
    expect(index.findTerm(criterion)).toEqual(OrdinalSet.fromSorted(members));
    await readTerm(index, terms, criterion);
    expect(underWay).toHaveLength(1);
  });

  test("reads it again where the first reading fails", async () => {
    const { terms, underWay } = slowStore();
    const index = new SearchIndex();
    const first = readTerm(index, terms, criterion);
    await settled();
    const second = readTerm(index, terms, criterion);
    await settled();
    underWay[0]!.reject(new Error("the caller has left"));
    await expect(first).rejects.toThrow("the caller has left");
    await settled();
    expect(underWay).toHaveLength(2);
    underWay[1]!.resolve(members);
    expect((await second).members.toArray()).toEqual(members);
  });

  test("keeps it though more changes come in the meantime than the index remembers", async () => {
    const { terms, underWay } = slowStore();
    const index = new SearchIndex();
    const naive = new NaiveSearch();
    const uris = ["https://a", "https://a", "https://b", "https://b"];
    take(index, naive, naive.apply(uris.map((uri, ordinal) => asset(ordinal, uri))));
    const view = { ...terms, changeSeq: naive.log.length };
    // Before the term is read, and while it is.
    take(index, naive, naive.apply([asset(2, "https://a")]));
    const asking = readTerm(index, view, criterion);
    await settled();
    take(
      index,
      naive,
      naive.apply([{ ordinal: 0, facts: null }, asset(3, "https://a"), asset(4, "https://a")]),
    );
    const others = Array.from({ length: RECENT_CHANGES_MAX }, () => asset(9, "https://b"));
    take(index, naive, naive.apply(others));
    take(index, naive, naive.apply([asset(3, "https://b")]));
    expect(index.changesAfter(view)).toBe(null);
    underWay[0]!.resolve(Uint32Array.of(0, 1));
    await asking;
    expect(index.findTerm(criterion)!.toArray()).toEqual(Uint32Array.of(1, 2, 4));
    // It follows later changes, and no one notes them any more for the reading.
    take(index, naive, naive.apply([asset(1, "https://b")]));
    expect(index.findTerm(criterion)!.toArray()).toEqual(await naive.terms().listOrdinals(criterion, 9));
  });

  test("reads another term in the meantime", async () => {
    const { terms, underWay } = slowStore();
    const index = new SearchIndex();
    const asking = ["https://a", "https://b"].map((jsonUri) =>
      readTerm(index, terms, { kind: "jsonUri", value: jsonUri }),
    );
    await settled();
    expect(underWay).toHaveLength(2);
    for (const reading of underWay) reading.resolve(members);
    await Promise.all(asking);
  });
});
