// Against a real server that answers as a node does.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseEndpoint } from "./endpoint.ts";
import { RpcClient } from "./rpc-client.ts";
import { SlotRate } from "@lamplight/core";
import { SlotHorizon } from "./slot-horizon.ts";

let server: Server;
let client: RpcClient;
let answers: unknown[];
const { signal } = new AbortController();

beforeEach(async () => {
  server = createServer(async (request, response) => {
    const { id } = (await json(request)) as { readonly id: number };
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: answers.shift() }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  client = new RpcClient(parseEndpoint(`http://127.0.0.1:${port}`, ["http:"]), signal, 1);
});
afterEach(() => {
  client.close();
  server.closeAllConnections();
  server.close();
});

test("where the node is, is asked twice, and once only", async () => {
  answers = [1000, 1003];
  const horizon = new SlotHorizon();
  expect(await horizon.find(client, signal)).toBe(1003);
  expect(await horizon.find(client, signal)).toBe(1003);
  expect(answers).toEqual([]);
});

test("two answers that are far apart are no answer; what is no slot is asked for again", async () => {
  answers = ["x", 1000, -1, 2_000_000];
  const horizon = new SlotHorizon();
  await expect(horizon.find(client, signal)).rejects.toThrow(
    "the node reported slot 1000, then slot 2000000",
  );
  expect(horizon.newest).toBe(null);
});

test("what is near moves it on; what is far, or no slot, is trouble", async () => {
  answers = [1000, 1000];
  const horizon = new SlotHorizon();
  await horizon.find(client, signal);
  const { slotsAheadMax } = horizon;
  expect(horizon.assertNear(1000 + slotsAheadMax, "a root")).toBe(1000 + slotsAheadMax);
  expect(horizon.assertNear(3, "a root")).toBe(3);
  expect(horizon.newest).toBe(1000 + slotsAheadMax);
  expect(() => horizon.assertNear(1001 + 2 * slotsAheadMax, "a root")).toThrow("a root is at slot 10001");
  for (const odd of [null, "12", 1.5, -1])
    expect(() => horizon.assertNear(odd, "a root")).toThrow("no number");
});

test("a node that is far ahead of where it was says so six times, or is not believed", async () => {
  const far = 5_000_000;
  answers = [far, far, far, far, 1000, far];
  const horizon = new SlotHorizon();
  await expect(horizon.find(client, signal, 1000)).rejects.toThrow(
    `the node reported slot ${far}, then slot 1000`,
  );
  answers = [far, far, far, far, far, far];
  expect(await horizon.find(client, signal, 1000)).toBe(far);
  expect(answers).toEqual([]);
});

test("how far ahead a slot may be is a time, so it grows with the measured rate", () => {
  const rate = new SlotRate();
  const horizon = new SlotHorizon(rate);
  expect(horizon.slotsAheadMax).toBe(4500);
  for (let second = 0; second <= 60; second += 1) rate.note(1000 + 5 * second, second * 1000);
  expect(horizon.slotsAheadMax).toBe(9000);
});
