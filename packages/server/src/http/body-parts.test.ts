// These tests send bodies in parts of one byte: they take little more than other bodies, and hold up no other caller.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { afterEach, beforeEach, expect, test } from "vitest";

import { startTestServer, testKey } from "../../test/protocol-server.ts";
import type { RunningServer } from "../start-server.ts";

const PARTS = 100_000;
const body = '{"jsonrpc":"2.0","id":7,"method":"nope"}'.padEnd(PARTS);
const head = `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
const parts = Array.from(body, (part) => `1\r\n${part}\r\n`).join("");
const end = "0\r\n\r\n";

/** Parts in one chunk of 64 KiB, which Node reads at once; a chunk may begin and end within a part. */
const CHUNK_PARTS_MAX = (64 << 10) / 6 + 1;
/** Far less than a hundred thousand objects take, which is some 20 MB. */
const GROWTH_MAX = 6 << 20;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes that are in use; what a first collection finalizes is freed by a second. */
const heapInUse = (): number => {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

let server: RunningServer;
let socket: Socket;
beforeEach(async () => {
  server = await startTestServer();
  socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
});
afterEach(async () => {
  socket.destroy();
  await server.stop();
});

const received = (): number => server.load().bodiesBytes;

test("parts take no memory of their own", async () => {
  const before = heapInUse();
  socket.write(head + parts);
  await expect.poll(received).toBe(PARTS);
  expect(heapInUse() - before).toBeLessThan(GROWTH_MAX);
});

test("one chunk is read in each turn of the event loop", async () => {
  let [before, most] = [0, 0];
  socket.write(head + parts);
  while (before < PARTS) {
    await nextTurn();
    most = Math.max(most, received() - before);
    before = received();
  }
  expect(most).toBeLessThanOrEqual(CHUNK_PARTS_MAX);
  socket.write(end);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [^]*"id":7\}$/u);
});
