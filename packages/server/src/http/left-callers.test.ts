// Callers that leave while their calls run.
import { connect } from "node:net";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createBlockedStore } from "../../test/blocked-store.ts";
import { testKey } from "../../test/protocol-server.ts";
import { createSmallStore, type SmallStore } from "../../test/small-store.ts";
import type { CallReport } from "../rpc/observer.ts";
import { type RunningServer, startServer } from "../start-server.ts";

let store: SmallStore;
let server: RunningServer;
let release: () => void;
const reports: CallReport[] = [];

beforeEach(async () => {
  reports.length = 0;
  store = await createSmallStore();
  const { viewSource, held } = createBlockedStore(store);
  release = () => held.forEach((goOn) => goOn());
  const observe = (report: CallReport): void => void reports.push(report);
  server = await startServer({ viewSource, keys: [testKey], port: 0, observe });
});
afterEach(async () => {
  release();
  await server.stop();
  store.remove();
});

const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "searchAssets", params: {} });
const request = `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test.each([
  ["none", 1],
  // Eight are in progress at once.
  ["some", 20],
])("a caller that leaves ends its call, and %s wait behind it", async (_, requests) => {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(request.repeat(requests));
  await vi.waitFor(() => expect(server.load().readViews).toBeGreaterThan(0), { timeout: 60_000 });
  socket.resetAndDestroy();
  await vi.waitFor(() => expect(server.load().connections).toBe(0), { timeout: 60_000 });
  await vi.waitFor(() => expect(reports.length).toBeGreaterThan(0), { timeout: 60_000 });
  expect(new Set(reports.map(({ outcome }) => outcome))).toEqual(new Set(["gone"]));
  expect(server.load().waitingRequests).toBe(0);
});

test("what a caller sends behind requests that wait is not all read", async () => {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => undefined);
  const large = request.replace("Host: x", `Host: x\r\nX: ${"x".repeat(2000)}`);
  const sent = 400;
  // Each part may arrive by itself.
  for (let part = 0; part < sent; part++) {
    socket.write(large);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await vi.waitFor(() => expect(server.load().waitingRequests).toBeGreaterThan(0), { timeout: 60_000 });
  for (let turn = 0; turn < 10; turn++) await (await fetch(`${server.url}/livez`)).text();
  // A chunk has up to 64 KiB.
  expect(server.load().waitingRequests).toBeLessThan(sent / 4);
  socket.destroy();
});
