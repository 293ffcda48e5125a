import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  emptyTreeState,
  isTreeComplete,
  parseTreeState,
  treeCoverageOf,
  type TreeNews,
  withTreeNews,
  writeTreeState,
} from "./tree-state.ts";

const nothing: TreeNews = { createdSlots: [], changes: [], accounts: [] };
const change = (seq: number, slot: number): TreeNews => ({ ...nothing, changes: [{ seq, slot }] });
const creation = (slot: number): TreeNews => ({ ...change(0, slot), createdSlots: [slot] });
const account = (seq: number, createdSlot: number): TreeNews => ({
  ...nothing,
  accounts: [{ seq, createdSlot }],
});

/** Stored and read again after each of them. */
const after = (all: readonly TreeNews[]) =>
  all.reduce((state, news) => parseTreeState(writeTreeState(withTreeNews(state, news))), emptyTreeState);
const coverage = (all: readonly TreeNews[]) => treeCoverageOf("tree", after(all));

const former = [creation(10), change(1, 11), change(2, 12), change(3, 20)];

describe("the changes of a tree", () => {
  test("are complete where no number is missing, and as far as the tree account counts", () => {
    expect(coverage(former)).toEqual({
      tree: "tree",
      completeThroughSeq: 3,
      highestSeq: 3,
      accountSeq: null,
    });
    expect(isTreeComplete(coverage(former.toSpliced(2, 1)))).toBe(false);
    expect(isTreeComplete(coverage([...former, account(4, 10)]))).toBe(false);
    expect(isTreeComplete(coverage([...former, account(4, 10), change(4, 21)]))).toBe(true);
  });

  test("count from 0 again where the tree is created again: a gap shows, regardless of how far the former life counted", () => {
    const again = [...former, creation(30)];
    expect(isTreeComplete(coverage(again))).toBe(true);
    const gap = coverage([...again, change(2, 32)]);
    expect(gap).toEqual({ tree: "tree", completeThroughSeq: 0, highestSeq: 2, accountSeq: null });
    expect(isTreeComplete(coverage([...again, change(2, 32), change(1, 31)]))).toBe(true);
    // The account alone proves that changes are missing, and that the tree was created again.
    expect(coverage([...former, account(2, 30)])).toEqual({
      tree: "tree",
      completeThroughSeq: 0,
      highestSeq: 0,
      accountSeq: 2,
    });
  });

  test("of a former life stay missing until they come", () => {
    const again = [...former.toSpliced(2, 1), creation(30), change(1, 31)];
    expect(coverage(again)).toMatchObject({ completeThroughSeq: 1, highestSeq: 3 });
    expect(isTreeComplete(coverage([...again, change(2, 12)]))).toBe(true);
  });

  test("that were joined over an unknown creation count as missing until they come again", () => {
    const mixed = [change(1, 11), change(1, 31), creation(30)];
    expect(after(mixed)).toMatchObject({ createdSlot: 30, ranges: [[0, 0]] });
    const later = [...mixed, change(2, 32)];
    expect(isTreeComplete(coverage(later))).toBe(false);
    expect(isTreeComplete(coverage([...later, change(1, 31)]))).toBe(true);
  });

  test("end in the same state in any order, once the creations are known", () => {
    const all = [...former, account(3, 10), creation(30), change(1, 31), change(3, 31), account(3, 30)];
    const expected = after(all);
    const creations = all.filter(({ createdSlots }) => createdSlots.length > 0);
    fc.assert(
      fc.property(fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }), (order) => {
        expect(after([...creations, ...order])).toEqual(expected);
      }),
    );
    // One life ends in the same state in any order too.
    fc.assert(
      fc.property(fc.shuffledSubarray(former, { minLength: former.length }), (order) => {
        expect(after(order)).toEqual(after(former));
      }),
    );
  });

  test("are kept in a bounded state, however many lives have gaps", () => {
    // Every other number, in 80 lives of 200 changes.
    const lives = Array.from({ length: 80 }, (_, life): TreeNews[] => {
      const start = life * 1000 + 10;
      const changes = Array.from({ length: 200 }, (__, index) => ({
        seq: index * 2 + 2,
        slot: start + index + 1,
      }));
      return [creation(start), { ...nothing, changes }];
    });
    const { former: kept = [], ...newest } = after(lives.flat());
    expect(newest.ranges).toHaveLength(201);
    expect(kept).toHaveLength(63);
    for (const { ranges } of kept) expect(ranges.length).toBeLessThanOrEqual(64);
    expect(isTreeComplete(coverage(lives.flat()))).toBe(false);
  });
});
