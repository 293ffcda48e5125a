// A caller who takes nothing of an answer loses the connection, however large the answer. A caller who takes a little
// all the time gets all of it.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { afterEach, expect, test } from "vitest";

import { callText, testDocument } from "../../test/protocol-server.ts";
import { STEADY_BYTES_S } from "../limits.ts";
import { type RunningServer, startServer } from "../start-server.ts";
import type { ViewSource } from "@lamplight/core";

const LARGE_BYTES = 24 << 20;
const document = { ...testDocument, info: { title: "x".repeat(LARGE_BYTES), version: "0.0.0" } };

const viewSource: ViewSource = {
  openView: () => {
    throw new Error("this test must not read a store");
  },
};

const requestOf = (key: string, method: string): string => {
  const body = callText(method, []);
  return `POST /v3/${key} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

let server: RunningServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.stop();
});

const start = async (limits: { takeTimeoutMs: number; owedBytes?: number }): Promise<void> => {
  server = await startServer({ viewSource, document, keys: ["one", "two"], port: 0, limits });
};

/** A connection on which nothing is read. */
const openUnread = async (localAddress = "127.0.0.1"): Promise<Socket> => {
  const socket = connect({ port: server.port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.on("error", () => undefined);
  socket.pause();
  await once(socket, "connect");
  return socket;
};

const statusOf = async (key: string, address?: string): Promise<string> => {
  const socket = await openUnread(address);
  socket.write(requestOf(key, "nope"));
  socket.resume();
  const [data] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return data.toString("latin1").slice(9, 12);
};

test("twenty callers of one key that read nothing keep no other waiting, and lose their connections", async () => {
  await start({ takeTimeoutMs: 3000, owedBytes: 64 << 20 });
  const unread = await Promise.all(Array.from({ length: 20 }, () => openUnread()));
  for (const socket of unread) socket.write(requestOf("one", "rpc.discover"));
  await expect.poll(() => server.load().owedBytes).toBeGreaterThan(LARGE_BYTES);
  // One address of a key holds at most nine sixteenths.
  expect(server.load().owedBytes).toBeLessThan(40 << 20);
  expect(await statusOf("two")).toBe("200");
  expect(await statusOf("one", "127.0.0.2")).toBe("200");
  await expect.poll(() => server.load().owedBytes, { timeout: 60_000 }).toBe(0);
  expect(server.counts().slowReaders).toBeGreaterThan(0);
  expect(await statusOf("one")).toBe("200");
});

test("one unread answer that is larger than all may be keeps no small one out", async () => {
  await start({ takeTimeoutMs: 600_000, owedBytes: 16 << 20 });
  const unread = await openUnread();
  unread.write(requestOf("one", "rpc.discover"));
  await expect.poll(() => server.load().owedBytes).toBeGreaterThan(16 << 20);
  for (const [key, address] of [
    ["two", "127.0.0.1"],
    ["one", "127.0.0.2"],
  ] as const)
    expect(await statusOf(key, address), `${key} ${address}`).toBe("200");
  expect(await statusOf("one")).toBe("503");
});

test("bytes that a caller sends are none that it takes", async () => {
  await start({ takeTimeoutMs: 1000 });
  const unread = await openUnread();
  unread.write(requestOf("one", "rpc.discover"));
  const closed = new Promise((resolve) => unread.once("close", resolve));
  const sending = setInterval(() => unread.write("\r\n"), 50);
  await expect.poll(() => server.counts().slowReaders, { timeout: 60_000 }).toBe(1);
  clearInterval(sending);
  unread.resume();
  await closed;
});

test("a caller that takes a part, and then nothing, loses the connection", async () => {
  await start({ takeTimeoutMs: 1000 });
  const socket = await openUnread();
  socket.write(requestOf("one", "rpc.discover"));
  let received = 0;
  socket.on("data", ({ length }: Buffer) => {
    received += length;
    if (received > 8 << 20) socket.pause();
  });
  socket.resume();
  await expect.poll(() => server.counts().slowReaders, { timeout: 60_000 }).toBe(1);
  expect(received).toBeLessThan(LARGE_BYTES);
});

test("a caller that takes a little all the time gets all, over several times the limit", async () => {
  const takeTimeoutMs = 2000;
  await start({ takeTimeoutMs });
  const socket = await openUnread();
  const startMs = performance.now();
  socket.write(requestOf("one", "rpc.discover"));
  let received = 0;
  let inRound = 0;
  const isOver = once(socket, "close");
  socket.on("data", ({ length }: Buffer) => {
    received += length;
    inRound += length;
    if (received > LARGE_BYTES) socket.end();
    else if (inRound > 1 << 20) {
      socket.pause();
      inRound = 0;
      setTimeout(() => socket.resume(), takeTimeoutMs / 6);
    }
  });
  socket.resume();
  await isOver;
  expect(received).toBeGreaterThan(LARGE_BYTES);
  expect(server.counts().slowReaders).toBe(0);
  expect(performance.now() - startMs).toBeGreaterThan(2 * takeTimeoutMs);
});

test.runIf(process.platform === "linux")(
  "a caller that takes the stated bytes a second, so that no write ends for long, gets all",
  async () => {
    const takeTimeoutMs = 4000;
    await start({ takeTimeoutMs });
    const startMs = performance.now();
    let received = 0;
    let receivedSlowly = 0;
    const isSlow = (): boolean => performance.now() - startMs < 3 * takeTimeoutMs;
    const isDue = (): boolean =>
      !isSlow() || received < (STEADY_BYTES_S * (performance.now() - startMs)) / 1000;
    // A read of the socket takes no more than the buffer from the system, and the last one of the test all that is left.
    const buffer = (): Buffer => Buffer.alloc(isSlow() ? 64 : 65_536);
    const callback = (bytes: number): boolean => {
      received += bytes;
      if (isSlow()) receivedSlowly = received;
      return isDue();
    };
    const socket = connect({ port: server.port, host: "127.0.0.1", onread: { buffer, callback } });
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.write(requestOf("one", "rpc.discover"));
    const reading = setInterval(() => {
      if (isDue()) socket.resume();
    }, 50);
    await expect.poll(isSlow, { timeout: 60_000 }).toBe(false);
    expect([server.counts().slowReaders, receivedSlowly < LARGE_BYTES / 8]).toEqual([0, true]);
    await expect.poll(() => received, { timeout: 60_000 }).toBeGreaterThan(LARGE_BYTES);
    clearInterval(reading);
  },
);
