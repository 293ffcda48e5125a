// Two workers that share what callers may hold.
import { afterEach, expect, test } from "vitest";

import { Caller, KeyRing } from "../keys.ts";
import { defaultLimits } from "../limits.ts";
import { silentLog } from "../log/log.ts";
import { ServerEvents } from "../log/server-events.ts";
import { clearGate, createGateMemory, Gate, type GateMemory } from "./gate.ts";
import { type Permit, PlacesOfRequest } from "./places.ts";

/** Each worker has objects of its own for the same keys. */
const callers = [0, 1].map(() => ({ one: new Caller("one"), two: new Caller("two") }));

const requestOf = (worker: number, key: "one" | "two") => new PlacesOfRequest(holderOf(worker, key), false);

const holderOf = (worker: number, key: "one" | "two") => ({
  caller: callers[worker]![key],
  address: "127.0.0.1",
});

const gates: Gate[] = [];
afterEach(() => {
  for (const gate of gates.splice(0)) gate.stop();
});

/** Opens a gate as each worker does. */
const open = (memory: GateMemory, worker: number, limits: Partial<typeof defaultLimits> = {}): Gate => {
  const gate = new Gate({
    limits: { ...defaultLimits, callTimeoutMs: 600_000, ...limits },
    keys: new KeyRing(["one", "two"]),
    events: new ServerEvents(silentLog),
    shared: { memory, worker },
  });
  gates.push(gate);
  return gate;
};

const takeNow = (gate: Gate, worker: number, key: "one" | "two"): Permit => {
  const permit = gate.places.take(requestOf(worker, key));
  if (permit instanceof Promise) throw new Error("it had to wait");
  return permit;
};

test("places are one total: a key has half of them over all workers, and another worker gets what is given back", async () => {
  const memory = createGateMemory(100, 2);
  const [first, second] = [open(memory, 0, { readViews: 4 }), open(memory, 1, { readViews: 4 })];
  const held = [
    takeNow(first, 0, "one"),
    takeNow(second, 1, "one"),
    takeNow(first, 0, "two"),
    takeNow(second, 1, "two"),
  ];
  const waiting = second.places.take(requestOf(1, "one")) as Promise<Permit>;
  expect([first.places.taken, second.places.taken, second.places.waiting]).toEqual([2, 2, 1]);
  // Another key gives this place back: the request that waits may not have it.
  held[2]!.release();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(second.places.waiting).toBe(1);
  held[0]!.release();
  const later = await waiting;
  expect([first.places.taken, second.places.taken]).toEqual([0, 3]);
  for (const permit of [held[1]!, held[3]!, later]) permit.release();
  expect([first.places.taken, second.places.taken]).toEqual([0, 0]);
});

test("a worker whose requests always wait leaves places to those that wait in another", async () => {
  const memory = createGateMemory(100, 2);
  const [busy, other] = [open(memory, 0, { readViews: 2 }), open(memory, 1, { readViews: 2 })];
  const over = new AbortController();
  let served = 0;
  const askAgain = async (key: "one" | "two"): Promise<void> => {
    while (!over.signal.aborted) {
      const permit = await busy.places.take(requestOf(0, key));
      await new Promise((resolve) => setImmediate(resolve));
      served++;
      permit.release();
    }
  };
  // Two keys of the first worker always wait for both places.
  const flood = Array.from({ length: 40 }, (_, index) => askAgain(index % 2 === 0 ? "one" : "two"));
  await expect.poll(() => served).toBeGreaterThan(10);
  for (let round = 0; round < 20; round++) (await other.places.take(requestOf(1, "one"))).release();
  over.abort();
  await Promise.all(flood);
  expect([busy.places.taken, other.places.taken]).toEqual([0, 0]);
});

test("what a worker held that is gone is free, and those that wait elsewhere get it", async () => {
  const memory = createGateMemory(100, 2);
  const [gone, other] = [open(memory, 0, { readViews: 2 }), open(memory, 1, { readViews: 2 })];
  takeNow(gone, 0, "one");
  takeNow(gone, 0, "two");
  gone.answers.add(holderOf(0, "one"), defaultLimits.owedBytes);
  expect(other.answers.hasRoom(holderOf(1, "two"), 1)).toBe(false);
  const waiting = other.places.take(requestOf(1, "one")) as Promise<Permit>;
  clearGate(memory, 0);
  (await waiting).release();
  expect(other.answers.hasRoom(holderOf(1, "two"), 1)).toBe(true);
});
