import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { giveUpSoon } from "./linger.ts";

const STEP_MS = 5000;

const server = createServer({ allowHalfOpen: true });
let caller: Socket;
let socket: Socket;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  caller = connect((server.address() as { port: number }).port, "127.0.0.1");
  [socket] = (await once(server, "connection")) as [Socket];
  caller.end();
  caller.resume();
});
afterEach(() => {
  vi.useRealTimers();
  for (const one of [caller, socket]) one.destroy();
  server.close();
});

test("a caller that has ended its side keeps its connection as long as answers come, or are owed", () => {
  let isOwed = false;
  giveUpSoon(socket, () => isOwed);
  for (let answer = 0; answer < 5; answer++) {
    socket.write("an answer");
    vi.advanceTimersByTime(STEP_MS);
    expect(socket.destroyed).toBe(false);
  }
  isOwed = true;
  vi.advanceTimersByTime(5 * STEP_MS);
  expect(socket.destroyed).toBe(false);
  isOwed = false;
  vi.advanceTimersByTime(STEP_MS);
  expect(socket.destroyed).toBe(true);
});
