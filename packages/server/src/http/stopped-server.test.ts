// What is left of a server that was stopped, in a process that goes on: nothing.
import { Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { expect, test } from "vitest";

import { post, startTestServer } from "../../test/protocol-server.ts";
import { Gate } from "../gate/gate.ts";
import { Places } from "../gate/places.ts";
import { KeyRing } from "../keys.ts";
import { Connection } from "./connection.ts";
import { HttpTransport } from "./http-transport.ts";

const SERVERS = 100;
/** What the engine itself may still hold of the last ones. */
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

const parts = { Connection, Gate, HttpTransport, KeyRing, Places, Server, ServerResponse, Socket };

/** Objects that are still reachable, by class; it collects garbage. */
const countParts = (): Record<string, number> =>
  Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, queryObjects(part, { format: "count" })]),
  );

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
  // A running one is found: the count can see what it looks for.
  const running = await startTestServer();
  expect(countParts()).toMatchObject({ HttpTransport: 1, Gate: 1, Places: 1 });
  await running.stop();
  for (let used = 0; used < 10; used++) await useServer();
  const [partsBefore, timersBefore, bytesBefore] = [countParts(), countTimers(), bytesInUse()];
  for (let used = 0; used < SERVERS; used++) await useServer();
  for (const name of Object.keys(parts))
    await expect
      .poll(() => countParts()[name], { message: name })
      .toBeLessThanOrEqual(partsBefore[name]! + HELD_MAX);
  await expect.poll(countTimers).toBeLessThanOrEqual(timersBefore + HELD_MAX);
  await expect.poll(() => bytesInUse() - bytesBefore).toBeLessThan(GROWTH_MAX);
});
