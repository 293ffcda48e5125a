// One number from far away reaches a stream, through a real gRPC server on loopback.

import type { ChainEvent, Slot } from "@lamplight/core";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { YellowstoneSource } from "./yellowstone-source.ts";

const STORE_SLOT = 1000;
const FAR = 1_000_000_000;
/** The largest jump between slots of a chain that was not measured yet. */
const SLOT_JUMP_MAX = 20_000;

let upstream: SimulatedYellowstone;
let source: YellowstoneSource;
let stopping: AbortController;
let running: Promise<void>;
/** Slots that were reported on, by streams. */
let reported: Slot[][];
let problems: string[];

beforeEach(async () => {
  upstream = new SimulatedYellowstone({ replay: () => [] });
  [reported, problems, stopping] = [[], [], new AbortController()];
  source = new YellowstoneSource({
    url: await upstream.start(),
    token: null,
    accounts: { all: {} },
    transactionPrograms: [],
    commitment: "processed",
    resumeFrom: () => STORE_SLOT + 1,
    signal: stopping.signal,
    onProblem: ({ message }) => problems.push(message),
    retryMs: 1,
  });
  running = take();
  await until(() => upstream.subscribers === 1);
});
afterEach(async () => {
  stopping.abort();
  await running;
  upstream.stop();
});

const take = async (): Promise<void> => {
  for await (const event of source.events()) {
    if (event.kind === "restart") reported.push([]);
    else if (event.kind === "slot") reported.at(-1)!.push(event.slot);
  }
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
};

const created = (slot: Slot, parent = slot - 1): ChainEvent => ({
  kind: "slot",
  slot,
  parent,
  status: "createdBank",
});

const emit = (...slots: readonly Slot[]): void => upstream.emit(slots.map((slot) => created(slot)));

/** The first stream is over, and another one is there. */
const untilAnother = (): Promise<void> =>
  until(() => upstream.requests.length === 2 && upstream.subscribers === 1);

test("ends the stream, reaches no reader, and counts for nothing once another stream reports", async () => {
  emit(1001, 1002, FAR, 1003);
  await untilAnother();
  expect(problems).toEqual([expect.stringContaining(`reports slot ${FAR}, far ahead of its last slot 1002`)]);
  expect(source.state.newestSlot).toBe(1002);
  emit(1003, 1004);
  await until(() => reported.at(-1)!.includes(1004));
  expect(reported).toEqual([
    [1001, 1002],
    [1003, 1004],
  ]);
  expect(source.state).toMatchObject({ newestSlot: 1004, connected: true });
});

test("a stream may begin far above the store: two messages in turn say so", async () => {
  emit(FAR);
  await until(() => source.state.messages === 1);
  expect(source.state).toMatchObject({ newestSlot: null, connected: false });
  expect(reported).toEqual([[]]);
  emit(FAR, FAR + 1);
  await until(() => reported[0]!.length === 3);
  expect(reported).toEqual([[FAR, FAR, FAR + 1]]);
  expect(source.state).toMatchObject({ newestSlot: FAR + 1, connected: true });
  expect(problems).toEqual([]);
});

test("one number alone is no beginning: the stream ends, and the next one is asked", async () => {
  emit(FAR, 1001);
  await untilAnother();
  expect(problems).toEqual([expect.stringContaining(`reports slot 1001, after slot ${FAR}`)]);
  emit(1001);
  await until(() => reported.at(-1)!.length === 1);
  expect(reported).toEqual([[], [1001]]);
  expect(source.state.newestSlot).toBe(1001);
});

test("a message that names no slot says nothing for one", async () => {
  upstream.send([...upstream.encode([created(FAR)]), new Uint8Array(0)]);
  await until(() => source.state.messages === 2);
  expect(source.state).toMatchObject({ newestSlot: null, connected: false, lastReportedMs: null });
  emit(1001);
  await untilAnother();
  emit(1001);
  await until(() => reported.at(-1)!.length === 1);
  expect(reported).toEqual([[], [1001]]);
});

test("what lies as far as a chain may skip is believed, and older slots always are", async () => {
  const slots = [STORE_SLOT + SLOT_JUMP_MAX, STORE_SLOT + 2 * SLOT_JUMP_MAX, 3];
  emit(...slots);
  await until(() => reported[0]!.length === 3);
  expect(reported).toEqual([slots]);
  expect(source.state.newestSlot).toBe(STORE_SLOT + 2 * SLOT_JUMP_MAX);
});

test("each stream is held against its own slots: a node that lies behind the last one shows as it is", async () => {
  emit(STORE_SLOT + SLOT_JUMP_MAX);
  await until(() => reported[0]!.length === 1);
  upstream.cutOff();
  await untilAnother();
  emit(1001);
  await until(() => reported.at(-1)!.length === 1);
  expect(source.state.newestSlot).toBe(1001);
});

test.each([1001, 1002])("a slot cannot build on slot %i, which is not below it", async (parent) => {
  upstream.emit([created(1001, parent)]);
  await untilAnother();
  expect(problems).toEqual([expect.stringContaining(`sets slot 1001 upon slot ${parent}`)]);
  expect(reported[0]).toEqual([]);
});
