import { expect, test } from "vitest";

import { Caller } from "../keys.ts";
import { FairQueue, type Queued } from "./fair-queue.ts";

interface Named extends Queued {
  readonly name: string;
}

const [one, two] = [new Caller("one"), new Caller("two")];

const of = (caller: Caller, address: string, name: string): Named => ({ holder: { caller, address }, name });

test("serves keys in turn, the addresses of a key in turn, and each address in its order", () => {
  const queue = new FairQueue<Named>();
  for (const name of ["1a1", "1a2", "1a3"]) queue.add(of(one, "a", name), 0);
  queue.add(of(one, "b", "1b1"), 1);
  for (const name of ["2a1", "2a2"]) queue.add(of(two, "a", name), 2);
  expect(queue.standingMs(10)).toBe(10);
  const taken = Array.from({ length: 7 }, () => queue.take()?.name ?? null);
  expect(taken).toEqual(["1a1", "2a1", "1b1", "2a2", "1a2", "1a3", null]);
  expect([queue.size, queue.standingMs(20)]).toEqual([0, 0]);
});

test("serves only who may be served, and forgets who left", () => {
  const queue = new FairQueue<Named>();
  const first = of(one, "a", "first");
  for (const waiting of [first, of(one, "a", "second"), of(two, "a", "third")]) queue.add(waiting, 5);
  expect(queue.waitingSinceMs(first)).toBe(5);
  expect(queue.find((caller) => caller === two)?.name).toBe("third");
  queue.remove(first);
  queue.remove(first);
  expect([queue.size, queue.take()?.name, queue.take()?.name, queue.take(), queue.size]).toEqual([
    2,
    "second",
    "third",
    null,
    0,
  ]);
});
