// These tests check that nothing is left of a server that was stopped, in a process that goes on.
import { Server } from "node:http";
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { expect, test } from "vitest";

import { post, startTestServer } from "../../test/protocol-server.ts";
import { Gate } from "../gate/gate.ts";
import { HttpTransport } from "./http-transport.ts";

const SERVERS = 100;
/** Number of the last servers that the engine itself may still hold. */
const HELD_MAX = 5;
/** Far more than that, and far less than what a hundred servers take: each has 256 KiB for counting connections alone. */
const GROWTH_MAX = 8 << 20;

/** Starts a server, calls it, and stops it. */
const useServer = async (): Promise<void> => {
  const server = await startTestServer();
  const { status } = await post(server, '{"jsonrpc":"2.0","id":1,"method":"nope"}');
  expect(status).toBe(200);
  await server.stop();
};

/** Each server has one of each, and they hold all its other objects. */
const parts = [HttpTransport, Gate, Server];

/** Such objects that are still reachable; it collects garbage. */
const countParts = (): number =>
  parts.reduce((count, part) => count + queryObjects(part, { format: "count" }), 0);

const countTimers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === "Timeout" || name === "Immediate").length;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Heap, and what lies outside of it. */
const bytesInUse = (): number => {
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
};

test(`${SERVERS} servers that were started and stopped leave no memory in use`, async () => {
  const partsBefore = countParts();
  const running = await startTestServer();
  // The count can see what it looks for.
  expect(countParts()).toBe(partsBefore + parts.length);
  await running.stop();
  for (let used = 0; used < 10; used++) await useServer();
  const [timersBefore, bytesBefore] = [countTimers(), bytesInUse()];
  for (let used = 0; used < SERVERS; used++) await useServer();
  await expect.poll(countParts, { interval: 200 }).toBeLessThanOrEqual(partsBefore + HELD_MAX * parts.length);
  await expect.poll(countTimers).toBeLessThanOrEqual(timersBefore + HELD_MAX);
  await expect.poll(bytesInUse, { interval: 200 }).toBeLessThan(bytesBefore + GROWTH_MAX);
});
