// These tests check that one caller leaves room for others: of another key, and of another address with the same key.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createBlockedStore } from "../../test/blocked-store.ts";
import { callText, testDocument } from "../../test/protocol-server.ts";
import { createSmallStore, type SmallStore } from "../../test/small-store.ts";
import type { Limits } from "../limits.ts";
import { type RunningServer, startServer } from "../start-server.ts";

const headOf = (key: string, length: number): string =>
  `POST /v3/${key} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

const requestOf = (key: string, method: string, params: unknown = [], bytes = 0): string => {
  const body = callText(method, params).padEnd(bytes);
  return headOf(key, body.length) + body;
};

const LARGE_BYTES = 16 << 20;
const document = { ...testDocument, info: { title: "x".repeat(LARGE_BYTES), version: "0.0.0" } };

/** Callers of other keys, and of other addresses with the same key. */
const others = [
  ["two", "127.0.0.1"],
  ["one", "127.0.0.2"],
  ["two", "127.0.0.2"],
] as const;

let store: SmallStore;
beforeAll(async () => {
  store = await createSmallStore();
});
afterAll(() => store.remove());

const withServer = async (
  limits: Partial<Limits>,
  use: (server: RunningServer, held: readonly (() => void)[]) => Promise<void>,
): Promise<void> => {
  const { viewSource, held } = createBlockedStore(store);
  const server = await startServer({ viewSource, document, keys: ["one", "two"], port: 0, limits });
  try {
    await use(server, held);
  } finally {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const release of held) release();
    await server.stop();
  }
};

const sockets: Socket[] = [];

/** A connection that takes nothing until it is resumed. */
const open = async (server: RunningServer, localAddress = "127.0.0.1"): Promise<Socket> => {
  const socket = connect({ port: server.port, host: "127.0.0.1", localAddress })
    .setNoDelay()
    .setMaxListeners(0);
  sockets.push(socket);
  socket.on("error", () => undefined);
  socket.pause();
  await once(socket, "connect");
  return socket;
};

/** More bytes than a part of a status line that a chunk cuts. */
const STATUS_LINE_BYTES = 12;

/** The statuses of so many answers, or of all where the connection ends. */
const statusesOf = async (socket: Socket, count: number): Promise<readonly string[]> => {
  const statuses: string[] = [];
  // An answer may have megabytes: each byte of it is searched once.
  let unread = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    unread += text;
    let read = Math.max(0, unread.length - STATUS_LINE_BYTES);
    for (const { 0: line, 1: status, index } of unread.matchAll(/HTTP\/1\.1 (\d{3}) /gu)) {
      statuses.push(status!);
      read = Math.max(read, index + line.length);
    }
    unread = unread.slice(read);
  });
  socket.resume();
  while (statuses.length < count && !socket.closed)
    await Promise.race([once(socket, "data"), once(socket, "close")]);
  return statuses;
};

const statusOf = async (
  server: RunningServer,
  key: string,
  address: string,
  request: string,
): Promise<string> => {
  const socket = await open(server, address);
  socket.write(request.replace("/v3/one", `/v3/${key}`));
  const [status = ""] = await statusesOf(socket, 1);
  socket.destroy();
  return status;
};

describe("while one caller holds all that it may", () => {
  test("of requests that wait, those of others may wait too", () =>
    withServer({ waitingRequests: 32, owedBytes: 2 ** 40, takeTimeoutMs: 600_000 }, async (server) => {
      const large = requestOf("one", "rpc.discover");
      // On a busy machine, the large call itself may have to wait for a turn, and is refused for want of room.
      const isRefused = (): boolean => server.counts().refusedRequests + server.counts().overloaded > 0;
      const send = async (key: string, address: string): Promise<Socket> => {
        const socket = await open(server, address);
        const owedBytes = server.load().owedBytes + (1 << 20);
        const refused = server.counts().overloaded;
        socket.write(large.replace("/v3/one", `/v3/${key}`));
        await expect
          .poll(() => server.load().owedBytes >= owedBytes || server.counts().overloaded > refused)
          .toBe(true);
        socket.write(requestOf(key, "nope"));
        return socket;
      };
      for (let count = 0; !isRefused(); count++) {
        await send("one", "127.0.0.1");
        // Each connection has one request that waits behind an answer that no one takes.
        await expect.poll(() => server.load().waitingRequests > count || isRefused()).toBe(true);
        expect(count).toBeLessThan(40);
      }
      for (const [key, address] of others)
        expect(await statusesOf(await send(key, address), 2), `${key} ${address}`).toEqual(["200", "200"]);
    }));

  test("of requests that wait, what it sends behind a refused one takes no room of others", () =>
    withServer({ waitingRequests: 32, owedBytes: 2 ** 40, takeTimeoutMs: 600_000 }, async (server) => {
      const large = requestOf("one", "rpc.discover");
      const unread = await open(server);
      unread.write(large + "GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(900));
      await expect.poll(() => server.counts().refusedRequests).toBe(1);
      for (const [key, address] of others) {
        const socket = await open(server, address);
        socket.write(requestOf(key, "nope").repeat(10));
        expect(await statusesOf(socket, 10), `${key} ${address}`).toEqual(Array(10).fill("200"));
      }
    }));

  test("of answers that are not read, those of others are sent", () =>
    withServer({ owedBytes: 24 << 20 }, async (server) => {
      const unread = await open(server);
      unread.write(requestOf("one", "rpc.discover"));
      await expect.poll(() => server.load().owedBytes).toBeGreaterThan(15 << 20);
      const call = requestOf("one", "nope");
      expect(await statusOf(server, "one", "127.0.0.1", call)).toBe("503");
      for (const [key, address] of others)
        expect(await statusOf(server, key, address, call), `${key} ${address}`).toBe("200");
    }));

  test("of bodies that are being received, those of others are taken", () =>
    withServer({ owedBytes: 320_000 }, async (server) => {
      const slow = await open(server);
      slow.write(headOf("one", 26_500) + " ".repeat(26_000));
      await expect.poll(() => server.load().bodiesBytes).toBe(26_000);
      const call = requestOf("one", "nope", [], 6000);
      expect(await statusOf(server, "one", "127.0.0.1", call)).toBe("503");
      for (const [key, address] of others)
        expect(await statusOf(server, key, address, call), `${key} ${address}`).toBe("200");
      // Small ones have room of their own.
      expect(await statusOf(server, "one", "127.0.0.1", requestOf("one", "nope"))).toBe("200");
    }));

  test("of many small bodies that never end, those of others are taken", () =>
    withServer({ owedBytes: 1 << 20 }, async (server) => {
      for (let count = 0; server.counts().overBodies === 0; count++) {
        const slow = await open(server);
        const before = server.load().bodiesBytes;
        slow.write(headOf("one", 4000) + " ".repeat(3900));
        await expect
          .poll(() => server.load().bodiesBytes > before || server.counts().overBodies > 0)
          .toBe(true);
        expect(count).toBeLessThan(40);
      }
      expect(server.load().bodiesBytes).toBeLessThanOrEqual(1 << 17);
      for (const [key, address] of others)
        expect(await statusOf(server, key, address, requestOf("one", "nope")), `${key} ${address}`).toBe(
          "200",
        );
    }));

  test("of places in the queue for read views, others wait there too, and are served in turn", () =>
    withServer({ readViews: 2, waitingRequests: 32, callTimeoutMs: 600_000 }, async (server, held) => {
      const search = requestOf("one", "searchAssets", { burnt: false });
      const first = await open(server);
      first.write(search);
      await expect.poll(() => held.length).toBe(1);
      for (let count = 0; count < 18; count++) (await open(server)).write(search);
      await expect.poll(() => server.load().viewQueue).toBe(18);
      expect(await statusOf(server, "one", "127.0.0.1", search)).toBe("503");
      const other = await open(server, "127.0.0.2");
      other.write(search);
      await expect.poll(() => server.load().viewQueue).toBe(19);
      const answered = statusesOf(other, 1);
      // The first one, the oldest that waits, and then the other address.
      for (let served = 0; served < 3; served++) {
        await expect.poll(() => held.length).toBe(served + 1);
        held[served]!();
      }
      expect(await answered).toEqual(["200"]);
      expect(server.load().viewQueue).toBeGreaterThan(15);
    }));
});
