import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

import { randomOf } from "../../test/random.ts";
import { Caller } from "../keys.ts";
import { clearCells, createCellsMemory, SharedCells } from "./shared-cells.ts";
import { type Holder, SharedBound } from "./shared-bound.ts";

const SEED = Number(process.env["LAMPLIGHT_FUZZ_SEED"] ?? 1);

const [one, two] = [new Caller("one"), new Caller("two")];

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

test("one large thing that holds all keeps no small one of another key or address out", () => {
  const bound = new SharedBound(6400);
  bound.add({ caller: one, address: "a" }, 9000);
  bound.remove({ caller: one, address: "a" }, 2600);
  for (const holder of [
    { caller: one, address: "b" },
    { caller: two, address: "a" },
  ]) {
    expect(bound.hasRoomForBytes(holder, 101)).toBe(false);
    expect(bound.hasRoomForBytes(holder, 100)).toBe(true);
    bound.add(holder, 100);
    expect(bound.hasRoomForBytes(holder, 1)).toBe(false);
  }
  // All of them together have a bound too.
  let firsts = 2;
  for (; bound.hasRoomForBytes({ caller: one, address: `${firsts}` }, 100); firsts++)
    bound.add({ caller: one, address: `${firsts}` }, 100);
  expect(firsts).toBe(16);
});

test("many things of one holder are no large one, and parts of one thing are", () => {
  const memory = createCellsMemory(4096, 2);
  for (const cells of [null, new SharedCells(memory, 0)]) {
    const bound = new SharedBound(6400, cells);
    const [holder, other] = [
      { caller: one, address: "a" },
      { caller: two, address: "a" },
    ];
    for (let count = 0; count < 90; count++) bound.add(holder, 100);
    expect(bound.hasRoomForBytes(other, 100)).toBe(false);
    bound.remove(holder, 9000);
    bound.add(holder, 6000);
    bound.add(holder, 3000, 6000);
    expect(bound.hasRoomForBytes(other, 100)).toBe(true);
    bound.remove(holder, 9000);
    expect(bound.heldByAll).toBe(0);
  }
});

test("one large thing in a worker keeps no small one out of another, and nothing of it is left behind", () => {
  const memory = createCellsMemory(4096, 2);
  const [first, second] = [0, 1].map((worker) => new SharedBound(6400, new SharedCells(memory, worker))) as [
    SharedBound,
    SharedBound,
  ];
  first.add({ caller: one, address: "a" }, 9000);
  const small = { caller: two, address: "a" };
  expect(second.hasRoomForBytes(small, 100)).toBe(true);
  second.add(small, 100);
  first.remove({ caller: one, address: "a" }, 9000);
  // Small things alone get no more than the bound and the share beyond it.
  let firsts = 1;
  for (; firsts < 1000 && second.hasRoomForBytes({ caller: one, address: `${firsts}` }, 100); firsts++)
    second.add({ caller: one, address: `${firsts}` }, 100);
  expect(second.heldByAll).toBeLessThanOrEqual(6400 * 1.25);
});

test(`of several workers is one total, and shares are those of all (seed ${SEED})`, () => {
  const random = randomOf(SEED);
  const max = 3 * 2 ** 29;
  // With so many cells, no two names share all of theirs.
  const memory = createCellsMemory(4096, 3);
  const bounds = Array.from(
    { length: 3 },
    (_, worker) => new SharedBound(max, new SharedCells(memory, worker)),
  );
  const alone = new SharedBound(max);
  const taken: (readonly [worker: number, holder: Holder, amount: number])[] = [];
  const refused = { alone: 0, shared: 0 };
  for (let step = 0; step < 20_000; step++) {
    if (random(3) === 0 && taken.length > 0) {
      const [[worker, holder, amount] = [0, { caller: null, address: "" }, 0]] = taken.splice(
        random(taken.length),
        1,
      );
      bounds[worker]!.remove(holder, amount);
      alone.remove(holder, amount);
      continue;
    }
    const worker = random(3);
    const holder = { caller: [one, two, null][random(3)]!, address: `${random(4)}` };
    const amount = 1 + random(random(10) === 0 ? 2 ** 28 : 2 ** 24);
    const [isAlone, isShared] = [alone.hasRoom(holder, amount), bounds[worker]!.hasRoom(holder, amount)];
    refused.alone += isAlone ? 0 : 1;
    refused.shared += isShared ? 0 : 1;
    if (!isAlone || !isShared) continue;
    for (const bound of [bounds[worker]!, alone]) bound.add(holder, amount);
    taken.push([worker, holder, amount]);
    // Cells count in units: the sum of other workers is never too low.
    const tooHigh = bounds[worker]!.heldByAll - alone.held;
    expect(tooHigh, `seed ${SEED}`).toBeGreaterThanOrEqual(0);
    expect(tooHigh, `seed ${SEED}`).toBeLessThan(3 * 6);
  }
  expect(refused.alone).toBeGreaterThan(0);
  expect(refused.shared - refused.alone, `seed ${SEED}`).toBeLessThan(10);
  // A worker that ends gives back what it held.
  clearCells(memory, 0);
  const others = taken.filter(([worker]) => worker !== 0);
  expect(bounds[1]!.heldByAll).toBeLessThan(others.reduce((sum, [, , amount]) => sum + amount, 18));
  for (const [worker, holder, amount] of others) bounds[worker]!.remove(holder, amount);
  expect([bounds[1]!.heldByAll, bounds[1]!.heldByKey(one)]).toEqual([0, 0]);
});

test("keeps no holder that holds nothing", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const bound = new SharedBound(1000);
  const addNothing = (): WeakRef<Caller> => {
    const caller = new Caller("one");
    bound.add({ caller, address: "127.0.0.1" }, 0);
    return new WeakRef(caller);
  };
  const caller = addNothing();
  // A reference is kept until the end of the turn in which it was made.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(caller.deref()).toBeUndefined();
  expect(bound.held).toBe(0);
});
