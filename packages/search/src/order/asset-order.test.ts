import { describe, expect, test, vi } from "vitest";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import { runThrough } from "../slices.ts";
import { numbersOf, partsOf } from "../../test/parts.ts";
import { AssetOrder } from "./asset-order.ts";

/** Enough that a deep window is cheaper spread over a bitmap than walked, in either direction. */
const ASSETS = 130_000;
const SEED = 20_261_121;

/** Parts of which a few assets fill many, and one that none fills. */
const partBits = [3, 10, 20] as const;

/** A small generator of the usual kind, so that a failure repeats. */
const randomFrom = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

interface Setup {
  readonly order: AssetOrder;
  readonly keys: number[];
  readonly live: Set<number>;
  readonly sorted: () => number[];
  readonly random: (below: number) => number;
}

const setup = (assets: number, seed = SEED, bits?: number): Setup => {
  const random = randomFrom(seed);
  const keys = Array.from({ length: assets }, () => random(1000));
  const live = new Set(keys.keys());
  const compare = (a: number, b: number): number => keys[a]! - keys[b]! || a - b;
  const order = new AssetOrder(compare, bits);
  const sorted = (): number[] => [...live].toSorted(compare);
  runThrough(order.restore(partsOf(sorted(), bits), assets));
  return { order, keys, live, random, sorted };
};

/** Changes keys as a commit does: out, new key, in. */
const move = ({ order, keys, random }: Setup, count: number): void => {
  const moved = new Set(Array.from({ length: count }, () => random(ASSETS)));
  order.remove(moved);
  for (const ordinal of moved) keys[ordinal] = random(1200);
  order.insert([...moved], ASSETS);
};

/** A commit that also removes assets, brings removed ones back and numbers new ones. */
const shake = ({ order, keys, live, random }: Setup, changes: number): void => {
  const changed = new Set<number>();
  // Mostly the same few, so that members of the tail move and vanish too.
  for (let change = 0; change < changes; change++)
    changed.add(random(3) > 0 ? random(50) : random(keys.length + 20));
  order.remove(changed);
  const put: number[] = [];
  for (const ordinal of changed) {
    if (random(3) === 0) {
      live.delete(ordinal);
      continue;
    }
    while (keys.length <= ordinal) keys.push(0);
    keys[ordinal] = random(1200);
    live.add(ordinal);
    put.push(ordinal);
  }
  order.insert(put, keys.length);
};

const matchesOf = (every: number): OrdinalSet =>
  OrdinalSet.fromSorted(
    Uint32Array.from({ length: Math.floor(ASSETS / every) }, (_, index) => index * every),
  );

/** Every way to cut a page, against the sorted matches. */
const expectPages = ({ order, keys }: Setup, matches: OrdinalSet, expected: readonly number[]): void => {
  for (const from of [0, 7, Math.floor(expected.length / 2), expected.length - 20, expected.length + 3])
    for (const count of [50, 1000])
      if (from >= 0) expect(order.window(matches, from, count)).toEqual(expected.slice(from, from + count));
  for (const at of [0, Math.floor(expected.length / 3), expected.length - 1]) {
    const asked = expected[at];
    if (asked === undefined) continue;
    const position = (ordinal: number): number => keys[ordinal]! - keys[asked]! || ordinal - asked;
    expect(order.after(matches, position, 40)).toEqual(expected.slice(at + 1, at + 41));
    expect(order.before(matches, position, 40)).toEqual(
      expected.slice(Math.max(0, at - 40), at).toReversed(),
    );
  }
};

describe(`AssetOrder, seed ${SEED}`, () => {
  for (const moves of [0, 500, 5000])
    for (const every of [1, 3, 40, 200])
      test(`cuts the windows a sort would, ${moves} moved, one in ${every} matching`, () => {
        const given = setup(ASSETS);
        move(given, moves);
        const matches = matchesOf(every);
        expectPages(
          given,
          matches,
          given.sorted().filter((ordinal) => matches.has(ordinal)),
        );
      });

  test("keeps its order through many small commits that outgrow the tail", () => {
    const given = setup(ASSETS);
    for (let commit = 0; commit < 40; commit++) move(given, 300);
    expect([...given.order.toArray()]).toEqual(given.sorted());
  });

  test("looks only at the entries of a page at either end", () => {
    const small = setup(20_000);
    const matches = OrdinalSet.fromSorted(Uint32Array.from({ length: 2000 }, (_, index) => index * 10));
    const expected = small.sorted().filter((ordinal) => ordinal % 10 === 0);
    const has = vi.spyOn(matches, "has");
    for (const from of [0, 1950]) {
      has.mockClear();
      expect(small.order.window(matches, from, 50)).toEqual(expected.slice(from, from + 50));
      // One entry in ten is a match.
      expect(has.mock.calls.length).toBeLessThan(1000);
    }
  });

  test("cuts pages from many matches that all are at one end", () => {
    const given = setup(ASSETS);
    move(given, 1000);
    const sorted = given.sorted();
    for (const part of [sorted.slice(0, ASSETS / 10), sorted.slice(-ASSETS / 10)]) {
      const matches = OrdinalSet.fromSorted(Uint32Array.from(part).toSorted());
      expectPages(given, matches, part);
      const { keys, order } = given;
      for (const asked of [sorted[0]!, sorted.at(-1)!]) {
        const position = (ordinal: number): number => keys[ordinal]! - keys[asked]! || ordinal - asked;
        const rest = part.filter((ordinal) => position(ordinal) > 0);
        const sofar = part.filter((ordinal) => position(ordinal) < 0);
        expect(order.after(matches, position, 30)).toEqual(rest.slice(0, 30));
        expect(order.before(matches, position, 30)).toEqual(sofar.toReversed().slice(0, 30));
      }
    }
  });

  for (let seed = 1; seed <= 20; seed++)
    test(`stays a sort of what is there while assets come, move, vanish and come back, seed ${seed}`, () => {
      const given = setup(seed % 2 === 0 ? 6000 : 40, seed, partBits[seed % 3]);
      for (let commit = 0; commit < 60; commit++) {
        shake(given, 1 + given.random(commit % 10 === 0 ? 3000 : 40));
        const sorted = given.sorted();
        expect([...given.order.toArray()]).toEqual(sorted);
        const matching = sorted.filter((ordinal) => ordinal % 3 !== commit % 3);
        expectPages(given, OrdinalSet.fromSorted(Uint32Array.from(matching).toSorted()), matching);
      }
    });

  for (let seed = 1; seed <= 20; seed++)
    test(`is the same order in the middle of a merge, whatever comes meanwhile, seed ${seed}`, () => {
      const given = setup(seed % 2 === 0 ? 900 : 40, seed, partBits[seed % 3]);
      for (let round = 0; round < 6; round++) {
        shake(given, 30);
        const merge = given.order.compact(1 + given.random(120));
        while (merge.next().done !== true) {
          if (given.random(3) === 0) shake(given, 1 + given.random(12));
          expect([...given.order.toArray()]).toEqual(given.sorted());
        }
        const sorted = given.sorted();
        expect([...given.order.toArray()]).toEqual(sorted);
        const matching = sorted.filter((ordinal) => ordinal % 3 !== round % 3);
        expectPages(given, OrdinalSet.fromSorted(Uint32Array.from(matching).toSorted()), matching);
      }
    });

  test("a merge that is given up, or overtaken by another, leaves the order as it was", () => {
    const given = setup(900);
    shake(given, 100);
    const merges = [1, 2, 3].map(() => given.order.compact(50));
    for (const merge of merges) for (let slice = 0; slice < 5; slice++) merge.next();
    shake(given, 100);
    merges[2]!.return();
    expect(merges.map((merge) => merge.next().done)).toEqual([true, true, true]);
    expect([...given.order.toArray()]).toEqual(given.sorted());
  });

  test("a copy made in the meantime has what kept still, once and in order, though merges overtake it", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const given = setup(900, seed, partBits[seed % 3]);
      shake(given, 60);
      const before = given.sorted();
      const touched = new Set<number>();
      const copy = given.order.listed(70);
      let step = copy.next();
      for (let slice = 0; step.done !== true; slice++) {
        const keys = [...given.keys];
        const live = new Set(given.live);
        if (given.random(4) === 0) shake(given, 5);
        if (slice === 6) runThrough(given.order.compact());
        for (const ordinal of given.keys.keys())
          if (keys[ordinal] !== given.keys[ordinal] || live.has(ordinal) !== given.live.has(ordinal))
            touched.add(ordinal);
        step = copy.next();
      }
      const kept = (ordinals: Iterable<number>): number[] =>
        [...ordinals].filter((ordinal) => !touched.has(ordinal));
      expect(kept(numbersOf(step.value))).toEqual(kept(before));
    }
  });

  test("asks for a merge when much waits, and merges by itself when no one does it", () => {
    const given = setup(ASSETS);
    expect(given.order.isUntidy).toBe(false);
    move(given, 3000);
    expect(given.order.isUntidy).toBe(true);
    runThrough(given.order.compact());
    expect(given.order.isUntidy).toBe(false);
    for (let commit = 0; commit < 7; commit++) move(given, 2000);
    expect(given.order.isUntidy).toBe(true);
    move(given, 4000);
    expect(given.order.isUntidy).toBe(false);
    expect([...given.order.toArray()]).toEqual(given.sorted());
  });

  test("removing what is not there changes nothing", () => {
    const given = setup(10);
    given.order.remove([3, 3, 99]);
    given.live.delete(3);
    given.order.remove([3]);
    expect([...given.order.toArray()]).toEqual(given.sorted());
  });
});
