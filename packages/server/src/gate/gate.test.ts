// Two workers that share what callers may hold.
import { afterEach, expect, test } from "vitest";

import { enterGate, type GateRequest } from "../../test/gate-request.ts";
import { Caller, KeyRing } from "../keys.ts";
import { defaultLimits } from "../limits.ts";
import { Gate } from "./gate.ts";
import { clearGate, createGateMemory, type GateMemory } from "./gate-memory.ts";

/** Each worker has objects of its own for the same keys. */
const callers = [0, 1].map(() => ({ one: new Caller("one"), two: new Caller("two") }));

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
    shared: { memory, worker },
  });
  gates.push(gate);
  return gate;
};

const enter = (gate: Gate, worker: number, key: "one" | "two"): GateRequest =>
  enterGate(gate, holderOf(worker, key));

const start = async (gate: Gate, worker: number, key: "one" | "two"): Promise<GateRequest> => {
  const request = enter(gate, worker, key);
  await request.started;
  return request;
};

test("places are one total: a key has half of them over all workers, and another worker gets what is given back", async () => {
  const memory = createGateMemory(100, 2);
  const [first, second] = [open(memory, 0, { readViews: 4 }), open(memory, 1, { readViews: 4 })];
  const held = [
    await start(first, 0, "one"),
    await start(second, 1, "one"),
    await start(first, 0, "two"),
    await start(second, 1, "two"),
  ];
  const waiting = enter(second, 1, "one");
  expect([first.places.held, second.places.held, second.queue.waitingForPlace]).toEqual([2, 2, 1]);
  // Another key gives this place back: the request that waits may not have it.
  held[2]!.end();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(second.queue.waitingForPlace).toBe(1);
  held[0]!.end();
  await waiting.started;
  expect([first.places.held, second.places.held]).toEqual([0, 3]);
  for (const request of [held[1]!, held[3]!, waiting]) request.end();
  expect([first.places.held, second.places.held]).toEqual([0, 0]);
});

test("a worker whose requests always wait leaves places to those that wait in another", async () => {
  const memory = createGateMemory(100, 2);
  const [busy, other] = [open(memory, 0, { readViews: 2 }), open(memory, 1, { readViews: 2 })];
  const over = new AbortController();
  let served = 0;
  const askAgain = async (key: "one" | "two"): Promise<void> => {
    while (!over.signal.aborted) {
      const request = await start(busy, 0, key);
      await new Promise((resolve) => setImmediate(resolve));
      served++;
      request.end();
    }
  };
  // Two keys of the first worker always wait for both places.
  const flood = Array.from({ length: 40 }, (_, index) => askAgain(index % 2 === 0 ? "one" : "two"));
  await expect.poll(() => served).toBeGreaterThan(10);
  for (let round = 0; round < 20; round++) {
    (await start(other, 1, "one")).end();
  }
  over.abort();
  await Promise.all(flood);
  expect([busy.places.held, other.places.held]).toEqual([0, 0]);
});

test("what a worker held that is gone is free, and those that wait elsewhere get it", async () => {
  const memory = createGateMemory(100, 2);
  const [gone, other] = [open(memory, 0, { readViews: 2 }), open(memory, 1, { readViews: 2 })];
  await start(gone, 0, "one");
  await start(gone, 0, "two");
  const waiting = enter(other, 1, "one");
  gone.answers.add(holderOf(0, "one"), defaultLimits.owedBytes);
  expect(other.answers.hasRoom(holderOf(1, "two"), 1)).toBe(false);
  clearGate(memory, 0);
  await waiting.started;
  waiting.end();
  expect(other.answers.hasRoom(holderOf(1, "two"), 1)).toBe(true);
});

test("a batch that waits for a further place gets one that another worker gives back", async () => {
  const memory = createGateMemory(100, 2);
  const [other, own] = [open(memory, 0, { readViews: 4 }), open(memory, 1, { readViews: 4 })];
  const held = [await start(other, 0, "one"), await start(other, 0, "two")];
  const batches = [enterGate(own, holderOf(1, "one"), "batch"), enterGate(own, holderOf(1, "two"), "batch")];
  for (const batch of batches) await batch.started;
  // The first uses a spare session.
  await batches[0]!.usePlace();
  const further = batches[1]!.usePlace();
  expect([own.places.held, own.queue.batches.size]).toEqual([2, 1]);
  held[1]!.end();
  await further;
  expect([own.places.held, own.queue.batches.size]).toEqual([3, 0]);
  for (const request of [held[0]!, ...batches]) request.end();
  expect([other.places.held, own.places.held]).toEqual([0, 0]);
});

test("a new request does not overtake one that waits for what another worker gives back", async () => {
  const memory = createGateMemory(100, 2);
  const [other, own] = [open(memory, 0, { readViews: 2 }), open(memory, 1, { readViews: 2 })];
  const held = [await start(other, 0, "one"), await start(other, 0, "two")];
  const waiting = enter(own, 1, "one");
  held[0]!.end();
  const next = enter(own, 1, "one");
  await waiting.started;
  expect(next.hasStarted).toBe(false);
  waiting.end();
  await next.started;
  for (const request of [held[1]!, next]) request.end();
  expect([other.places.held, own.places.held]).toEqual([0, 0]);
});
