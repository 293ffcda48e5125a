import { expect, test } from "vitest";

import { Caller } from "../keys.ts";
import { FairQueue, type Queued } from "./fair-queue.ts";

interface Named extends Queued {
  readonly name: string;
}

const [one, two] = [new Caller("one"), new Caller("two")];

const at = (ms: number) => ({ ownMs: ms, wallMs: 2 * ms });

const of = (caller: Caller, address: string, name: string, sinceMs = 0): Named => ({
  holder: { caller, address },
  name,
  since: at(sinceMs),
});

const take = (queue: FairQueue<Named>): string | null => {
  const next = queue.find(() => true);
  if (next === null) return null;
  queue.moveBack(next);
  queue.remove(next);
  return next.name;
};

test("serves keys in turn, the addresses of a key in turn, and each address in its order", () => {
  const queue = new FairQueue<Named>();
  for (const name of ["1a1", "1a2", "1a3"]) queue.add(of(one, "a", name));
  queue.add(of(one, "b", "1b1", 1));
  for (const name of ["2a1", "2a2"]) queue.add(of(two, "a", name, 2));
  expect(queue.standingMs(at(10))).toBe(10);
  const taken = Array.from({ length: 7 }, () => take(queue));
  expect(taken).toEqual(["1a1", "2a1", "1b1", "2a2", "1a2", "1a3", null]);
  expect([queue.size, queue.standingMs(at(20))]).toEqual([0, 0]);
});

test("serves only who may be served, and forgets who left", () => {
  const queue = new FairQueue<Named>();
  const first = of(one, "a", "first", 5);
  for (const waiting of [first, of(one, "a", "second"), of(two, "a", "third")]) queue.add(waiting);
  expect(queue.keyStandingMs(first, at(8))).toBe(6);
  expect(queue.find((caller) => caller === two)?.name).toBe("third");
  queue.remove(first);
  queue.remove(first);
  expect([queue.size, take(queue), take(queue), take(queue), queue.size]).toEqual([
    2,
    "second",
    "third",
    null,
    0,
  ]);
});

test("tells the keys that wait with most, and of a key the addresses", () => {
  const queue = new FairQueue<Named>();
  const crowd = ["1", "2", "3", "4"].map((name) => of(one, "crowd", name));
  const [neighbor, other] = [of(one, "alone", "5"), of(two, "alone", "6")];
  for (const waiting of [...crowd, neighbor, other]) queue.add(waiting);
  const large = [...crowd, neighbor, other].filter((waiting) => queue.isOfLargeShare(waiting));
  expect(large).toEqual(crowd);
  for (const waiting of crowd) queue.remove(waiting);
  expect([neighbor, other].map((waiting) => queue.isOfLargeShare(waiting))).toEqual([true, true]);
});
