import { expect, test } from "vitest";

import { Caller } from "../keys.ts";
import { FairQueue } from "./fair-queue.ts";

test("serves keys in turn, the addresses of a key in turn, and each address in its order", () => {
  const queue = new FairQueue<string>();
  const [one, two] = [new Caller(), new Caller()];
  for (const name of ["1a1", "1a2", "1a3"]) queue.add({ caller: one, address: "a" }, name, 0);
  queue.add({ caller: one, address: "b" }, "1b1", 1);
  for (const name of ["2a1", "2a2"]) queue.add({ caller: two, address: "a" }, name, 2);
  expect(queue.standingMs(10)).toBe(10);
  const taken = Array.from({ length: 7 }, () => queue.take());
  expect(taken).toEqual(["1a1", "2a1", "1b1", "2a2", "1a2", "1a3", null]);
  expect([queue.size, queue.standingMs(20)]).toEqual([0, 0]);
});
