import { afterEach, expect, test } from "vitest";

import { Caller } from "../keys.ts";
import { Places, PlacesOfRequest } from "./places.ts";
import { SharedBound } from "./shared-bound.ts";

const caller = new Caller("one");
let keysAsked = 0;
let opened: Places[] = [];
afterEach(() => {
  for (const places of opened) places.stop();
  opened = [];
});

const open = (readViews: number): Places => {
  const keys = {
    get size() {
      keysAsked++;
      return 1;
    },
  };
  const cells = { taken: null, batches: null, waiting: null };
  const places = new Places({
    readViews,
    callTimeoutMs: 600_000,
    keys,
    waiting: new SharedBound(10_000),
    cells,
  });
  opened.push(places);
  return places;
};

const requestOf = (isBatch: boolean, address = "a"): PlacesOfRequest =>
  new PlacesOfRequest({ caller, address }, isBatch);

test("a single call looks at none of the thousands of batches that wait for their share", async () => {
  const places = open(4);
  const held = await Promise.all([1, 2, 3].map(() => places.take(requestOf(true))));
  const waiting = Array.from({ length: 2000 }, (_, index) => places.take(requestOf(true, `${index}`)));
  keysAsked = 0;
  for (let call = 0; call < 100; call++) (await places.take(requestOf(false))).release();
  expect(keysAsked).toBeLessThan(1000);
  expect(places.waiting).toBe(2000);
  for (const permit of held) permit.release();
  for (const permit of waiting) (await permit).release();
  expect([places.taken, places.waiting]).toEqual([0, 0]);
});

test("single calls and batches that wait take turns", async () => {
  const places = open(4);
  const held = await Promise.all([1, 2, 3, 4].map(() => places.take(requestOf(false))));
  const order: string[] = [];
  const waiting = ["batch", "batch", "batch", "single", "single"].map(async (kind) => {
    const permit = await places.take(requestOf(kind === "batch"));
    order.push(kind);
    return permit;
  });
  for (const permit of held) permit.release();
  for (const permit of waiting) (await permit).release();
  expect(order).toEqual(["single", "batch", "single", "batch", "batch"]);
});

test("a batch that holds a place gets the next one, also beyond the share of batches, but only one batch at a time", async () => {
  const places = open(4);
  const [first, second, other] = ["a", "b", "c"].map((address) => requestOf(true, address)) as [
    PlacesOfRequest,
    PlacesOfRequest,
    PlacesOfRequest,
  ];
  const held = await Promise.all([first, second, other].map((request) => places.take(request)));
  const further = await places.take(first);
  expect(places.taken).toBe(4);
  const waiting = [places.take(requestOf(true, "d")), places.take(second), places.take(second)] as const;
  expect(places.waiting).toBe(3);
  further.release();
  // `first` still is beyond its share.
  expect(places.waiting).toBe(3);
  held[0]!.release();
  // One within the share, and one beyond it.
  for (const permit of [await waiting[1], await waiting[2], held[1]!, held[2]!]) permit.release();
  (await waiting[0]).release();
  expect([places.taken, places.waiting]).toEqual([0, 0]);
});
