import { describe, expect, test } from "vitest";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import { AssetOrder } from "./asset-order.ts";

/** Enough that a deep window is cheaper spread over a bitmap than walked, in either direction. */
const ASSETS = 130_000;
const SEED = 20_261_121;

/** A small generator of the usual kind, so that a failure repeats. */
const randomFrom = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const setup = (): {
  order: AssetOrder;
  keys: number[];
  sorted: () => number[];
  random: (below: number) => number;
} => {
  const random = randomFrom(SEED);
  const keys = Array.from({ length: ASSETS }, () => random(1000));
  const compare = (a: number, b: number): number => keys[a]! - keys[b]! || a - b;
  const order = new AssetOrder(compare);
  order.fill(
    Uint32Array.from({ length: ASSETS }, (_, index) => index),
    ASSETS,
  );
  return { order, keys, random, sorted: () => Array.from(keys, (_, index) => index).toSorted(compare) };
};

/** Changes keys as a commit does: out, new key, in. */
const move = (order: AssetOrder, keys: number[], random: (below: number) => number, count: number): void => {
  const moved = new Set(Array.from({ length: count }, () => random(ASSETS)));
  order.remove(moved);
  for (const ordinal of moved) keys[ordinal] = random(1200);
  order.insert([...moved], ASSETS);
};

const matchesOf = (every: number): OrdinalSet =>
  OrdinalSet.fromSorted(
    Uint32Array.from({ length: Math.floor(ASSETS / every) }, (_, index) => index * every),
  );

describe(`AssetOrder, seed ${SEED}`, () => {
  for (const moves of [0, 500, 5000])
    for (const every of [1, 3, 200])
      test(`cuts the windows a sort would, ${moves} moved, one in ${every} matching`, () => {
        const { order, keys, random, sorted } = setup();
        move(order, keys, random, moves);
        const matches = matchesOf(every);
        const expected = sorted().filter((ordinal) => matches.has(ordinal));
        for (const from of [0, 7, Math.floor(expected.length / 2), expected.length - 20, expected.length + 3])
          expect(order.window(matches, from, 50)).toEqual(expected.slice(from, from + 50));
        for (const at of [0, Math.floor(expected.length / 3), expected.length - 1]) {
          const asked = expected[at]!;
          const position = (ordinal: number): number => keys[ordinal]! - keys[asked]! || ordinal - asked;
          expect(order.after(matches, position, 40)).toEqual(expected.slice(at + 1, at + 41));
          expect(order.before(matches, position, 40)).toEqual(
            expected.slice(Math.max(0, at - 40), at).toReversed(),
          );
          expect(order.rankOf(matches, position)).toBe(at);
        }
      });

  test("keeps its order through many small commits that outgrow the tail", () => {
    const { order, keys, random, sorted } = setup();
    for (let commit = 0; commit < 40; commit++) move(order, keys, random, 300);
    expect([...order.toArray()]).toEqual(sorted());
  });
});
