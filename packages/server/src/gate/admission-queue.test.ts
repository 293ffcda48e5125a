// Requests of one worker that wait for places.
import { turns } from "@lamplight/core";
import { afterEach, expect, test } from "vitest";

import { enterGate, type GateRequest } from "../../test/gate-request.ts";
import { Caller } from "../keys.ts";
import { defaultLimits } from "../limits.ts";
import type { RequestKind } from "./gated-request.ts";
import { Gate } from "./gate.ts";

const caller = new Caller("one");
let keysAsked = 0;
const gates: Gate[] = [];
afterEach(() => {
  for (const gate of gates.splice(0)) gate.stop();
});

const open = (readViews: number, callTimeoutMs = 600_000): Gate => {
  const keys = {
    get size() {
      keysAsked++;
      return 1;
    },
  };
  const limits = { ...defaultLimits, readViews, callTimeoutMs };
  const gate = new Gate({ limits, keys, shared: null });
  gates.push(gate);
  return gate;
};

const enter = (gate: Gate, kind: RequestKind, address = "a"): GateRequest =>
  enterGate(gate, { caller, address }, kind);

const start = async (gate: Gate, kind: RequestKind, address = "a"): Promise<GateRequest> => {
  const request = enter(gate, kind, address);
  await request.started;
  return request;
};

const counts = (gate: Gate): readonly number[] => [
  gate.places.held,
  gate.queue.size,
  gate.queue.batches.size,
];

const endAll = async (all: readonly GateRequest[]): Promise<void> => {
  for (const request of all) {
    await request.started;
    request.end();
  }
};

test("a single call looks at none of the thousands of batches that wait for their share", async () => {
  const gate = open(4);
  const held = await Promise.all([1, 2, 3].map(() => start(gate, "batch")));
  const waiting = Array.from({ length: 2000 }, (_, index) => enter(gate, "batch", `${index}`));
  await endAll([enter(gate, "cheap")]);
  keysAsked = 0;
  for (let call = 0; call < 100; call++) await endAll([enter(gate, "cheap")]);
  expect(keysAsked).toBeLessThan(2000);
  expect(gate.queue.waitingForPlace).toBe(2000);
  await endAll([...held, ...waiting]);
  expect(counts(gate)).toEqual([0, 0, 0]);
});

test("single calls and batches that wait take turns", async () => {
  const gate = open(4);
  const held = await Promise.all([1, 2, 3, 4].map(() => start(gate, "list")));
  const order: string[] = [];
  const kinds: RequestKind[] = ["batch", "batch", "batch", "cheap", "cheap", "list"];
  const waiting = kinds.map((kind) => {
    const request = enter(gate, kind);
    void request.started.then(() => order.push(kind));
    return request;
  });
  for (const request of held) {
    request.end();
    await expect.poll(() => counts(gate)[0]).toBe(4);
  }
  await endAll(waiting.slice(3));
  await endAll(waiting);
  expect(order.slice(0, 3).toSorted()).toEqual(["batch", "cheap", "list"]);
  expect(order.slice(3, 5).toSorted()).toEqual(["batch", "cheap"]);
  expect(counts(gate)).toEqual([0, 0, 0]);
});

test("a request that reads nothing waits for no place, and one that waited too long is started without", async () => {
  const gate = open(1, 300);
  const first = await start(gate, "list");
  const waiting = enter(gate, "cheap");
  await enter(gate, "without reads").started;
  await expect(waiting.started).rejects.toMatchObject({ code: "STORE__BUSY" });
  expect(counts(gate)).toEqual([1, 0, 0]);
  await endAll([first, enter(gate, "cheap")]);
  expect(counts(gate)).toEqual([0, 0, 0]);
});

test("requests that read nothing keep no cheap call waiting", async () => {
  const gate = open(4);
  while (!turns.isUsedUp());
  const order: RequestKind[] = [];
  const kinds: RequestKind[] = [...Array.from({ length: 50 }, () => "without reads" as const), "cheap"];
  const waiting = kinds.map((kind) => {
    const request = enter(gate, kind);
    void request.started.then(() => order.push(kind));
    return request;
  });
  expect(gate.queue.size).toBe(51);
  await endAll(waiting);
  expect(order.indexOf("cheap")).toBeLessThan(3);
});

test("with one place, a batch that holds it gets more, but only one batch at a time", async () => {
  const gate = open(1);
  const first = await start(gate, "batch");
  const second = enter(gate, "batch");
  await first.usePlace();
  await first.usePlace();
  expect(counts(gate)).toEqual([1, 1, 0]);
  first.end();
  await endAll([second]);
  expect(counts(gate)).toEqual([0, 0, 0]);
});

test("batches that each hold a place and need another use spare sessions one after another", async () => {
  const gate = open(4);
  const first = await start(gate, "batch", "a");
  const second = await start(gate, "batch", "b");
  const third = await start(gate, "batch", "c");
  await first.usePlace();
  const further = [second, third].map((batch) => batch.usePlace());
  expect(counts(gate)).toEqual([3, 0, 2]);
  first.end();
  // One in a place, and one in a spare session.
  await Promise.all(further);
  expect(counts(gate)).toEqual([3, 0, 0]);
  for (const request of [second, third]) request.end();
  expect(counts(gate)).toEqual([0, 0, 0]);
});
