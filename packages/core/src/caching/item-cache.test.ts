import { describe, expect, test } from "vitest";
import { ItemCache, type ItemsOfState } from "./item-cache.ts";

const MIB = 1 << 20;
/** Three of them fill a segment. */
const SIZE = 300_000;

/** Twice, since the first time is only noted. */
const add = (state: ItemsOfState, ordinal: number, fill = ordinal): void => {
  for (let time = 0; time < 2; time += 1) state.add(ordinal, Buffer.alloc(SIZE + 2, fill), 1, SIZE);
};

const found = (state: ItemsOfState, ordinals: readonly number[]): (number | null)[] =>
  ordinals.map((ordinal) => {
    const item = state.find(ordinal);
    if (item === undefined) return null;
    expect(item.size).toBe(SIZE);
    const bytes = item.bytes.subarray(item.start, item.start + item.size);
    expect(bytes.every((byte) => byte === bytes[0])).toBe(true);
    return bytes[0]!;
  });

describe("ItemCache", () => {
  test("takes as many bytes as it may, and then the place of the oldest items", () => {
    const { state } = new ItemCache(2 * MIB);
    for (const ordinal of [1, 2, 3, 4, 5, 6]) add(state, ordinal);
    expect(found(state, [1, 2, 3, 4, 5, 6])).toEqual([1, 2, 3, 4, 5, 6]);
    add(state, 7);
    expect(found(state, [1, 2, 3, 4, 5, 6, 7])).toEqual([null, null, null, 4, 5, 6, 7]);
    for (const ordinal of [8, 9, 10]) add(state, ordinal);
    expect(found(state, [4, 5, 6, 7, 8, 9, 10])).toEqual([null, null, null, 7, 8, 9, 10]);
    for (let time = 0; time < 2; time += 1) state.add(11, Buffer.alloc(2 * MIB), 0, 2 * MIB);
    expect(state.find(11)).toBeUndefined();
  });

  test("takes nothing of a walk over more items than it remembers", () => {
    const { state } = new ItemCache(MIB);
    const item = Buffer.from("item");
    for (let walk = 0; walk < 3; walk += 1)
      for (let ordinal = 0; ordinal < 200_000; ordinal += 1) state.add(ordinal, item, 0, item.length);
    expect(Array.from({ length: 200_000 }, (_, ordinal) => state.find(ordinal)).some(Boolean)).toBe(false);
    state.add(199_999, item, 0, item.length);
    expect(state.find(199_999)?.size).toBe(item.length);
  });

  test("knows an item that was added again by its newest bytes", () => {
    const { state } = new ItemCache(2 * MIB);
    for (const ordinal of [1, 2, 3]) add(state, ordinal);
    add(state, 1, 9);
    for (const ordinal of [5, 6, 7]) add(state, ordinal);
    expect(found(state, [1, 2, 3, 7])).toEqual([9, null, null, 7]);
  });

  test("forgets what changed, and tells those that came before nothing more", () => {
    const cache = new ItemCache(MIB);
    const first = cache.state;
    expect(cache.isEmpty).toBe(true);
    add(first, 1);
    add(first, 2);
    cache.moveOn([1]);
    const second = cache.state;
    expect([found(first, [1, 2]), found(second, [1, 2])]).toEqual([
      [null, null],
      [null, 2],
    ]);
    // An item that was read at an earlier state may have changed since.
    add(first, 1);
    add(first, 2, 7);
    expect(found(second, [1, 2])).toEqual([null, 2]);
    cache.moveOn(null);
    expect(found(cache.state, [1, 2])).toEqual([null, null]);
    expect(cache.isEmpty).toBe(true);
  });
});
