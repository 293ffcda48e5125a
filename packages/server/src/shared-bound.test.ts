import { expect, test } from "vitest";

import { randomOf } from "../test/random.ts";
import { Caller } from "./keys.ts";
import { type Holder, SharedBound } from "./shared-bound.ts";

const SEED = Number(process.env["LAMPLIGHT_FUZZ_SEED"] ?? 1);

const [one, two] = [new Caller(), new Caller()];

/** Takes one after another until it gets no more. */
const fill = (bound: SharedBound, holder: Holder): number => {
  let taken = 0;
  for (; bound.hasRoom(holder, 1); taken++) bound.add(holder, 1);
  return taken;
};

test("a key that takes all it can leaves room for another, and an address for another of its key", () => {
  const bound = new SharedBound(8192);
  expect(fill(bound, { caller: one, address: "a" })).toBe(4608);
  expect(fill(bound, { caller: one, address: "b" })).toBeGreaterThan(1000);
  expect(fill(bound, { caller: two, address: "a" })).toBeGreaterThan(1000);
  expect(fill(bound, { caller: null, address: "a" })).toBeGreaterThan(200);
  expect(bound.held).toBeLessThanOrEqual(8192);
});

test("the first of a holder may take all that is free", () => {
  const bound = new SharedBound(100);
  const holder = { caller: one, address: "a" };
  expect(bound.hasRoom(holder, 100)).toBe(true);
  expect(bound.hasRoom(holder, 101)).toBe(false);
  expect(bound.hasRoomForBytes(holder, 101)).toBe(true);
  bound.add(holder, 90);
  // Part of what it holds already.
  expect(bound.hasRoom(holder, 10, 90)).toBe(true);
  expect(bound.hasRoom(holder, 10)).toBe(false);
  expect(bound.hasRoom({ caller: two, address: "a" }, 10)).toBe(true);
  expect(bound.hasRoomForBytes({ caller: two, address: "a" }, 11)).toBe(false);
});

test(`is never exceeded, and holds nothing once all was given back (seed ${SEED})`, () => {
  const random = randomOf(SEED);
  const bound = new SharedBound(1000);
  const taken: (readonly [holder: Holder, amount: number])[] = [];
  for (let step = 0; step < 20_000; step++) {
    if (random(2) === 0 && taken.length > 0) {
      const [[holder, amount] = [{ caller: null, address: "" }, 0]] = taken.splice(random(taken.length), 1);
      bound.remove(holder, amount);
      continue;
    }
    const holder = { caller: [one, two, null][random(3)]!, address: `${random(4)}` };
    const amount = 1 + random(random(10) === 0 ? 300 : 20);
    if (!bound.hasRoom(holder, amount)) continue;
    bound.add(holder, amount);
    taken.push([holder, amount]);
    expect(bound.held, `seed ${SEED}`).toBeLessThanOrEqual(1000);
  }
  for (const [holder, amount] of taken) bound.remove(holder, amount);
  expect(bound.held, `seed ${SEED}`).toBe(0);
  expect(bound.hasRoom({ caller: one, address: "1" }, 1000)).toBe(true);
});
