import { connect } from "node:net";

import { afterEach, expect, test, vi } from "vitest";

import { callText, exchangeRaw, startTestServer, testKey } from "../../test/protocol-server.ts";
import type { RunningServer } from "../start-server.ts";
import type { RequestObserver } from "./request-record.ts";

let server: RunningServer;
afterEach(() => server.stop());

/** A server, and what its observer sees of the end of requests. */
const observe = async (): Promise<{ readonly ended: unknown[]; readonly unreadable: number[] }> => {
  const ended: unknown[] = [];
  const unreadable: number[] = [];
  const requests: RequestObserver = {
    onEnd: ({ route, status, error }) => void ended.push([route, status, error]),
    onUnreadable: (status) => void unreadable.push(status),
  };
  server = await startTestServer({ requests });
  return { ended, unreadable };
};

const headOf = (...headers: string[]): string =>
  [
    `POST /v3/${testKey} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    ...headers,
    "",
    "",
  ].join("\r\n");

const body = callText("rpc.discover", []);
const whole = headOf(`Content-Length: ${body.length}`) + body;
/** No size of a chunk. */
const broken = `${headOf("Transfer-Encoding: chunked")}zz\r\n`;

const statusesIn = (received: string): readonly string[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/gu)].map(([, status]) => status!);

test.each([
  ["alone", broken, [], "call"],
  // Its route would have been read when it started.
  ["behind another one that is answered first", whole + broken, ["200"], "other"],
])(
  "a request that breaks off is counted once, with the answer that it got: %s",
  async (_, text, before, route) => {
    const { ended, unreadable } = await observe();
    const received = await exchangeRaw(server, [text]);
    expect(statusesIn(received)).toEqual([...before, "400"]);
    await server.stop();
    const [last, ...others] = ended.toReversed();
    expect(last).toEqual([route, 400, "REQUEST__INVALID"]);
    expect(others).toHaveLength(before.length);
    expect(unreadable).toEqual([]);
  },
);

test("what belongs to no request is counted by itself", async () => {
  const { ended, unreadable } = await observe();
  expect(statusesIn(await exchangeRaw(server, [`${whole}no request\r\n\r\n`]))).toEqual(["200", "400"]);
  await server.stop();
  expect(ended).toEqual([["call", 200, null]]);
  expect(unreadable).toEqual([400]);
});

test("a caller that ends its side within a request has left, and is counted once", async () => {
  const { ended, unreadable } = await observe();
  const socket = connect(server.port, "127.0.0.1");
  socket.end(headOf("Content-Length: 100"));
  socket.resume();
  await vi.waitFor(() => expect(ended).toEqual([["call", 0, null]]), { timeout: 60_000 });
  await server.stop();
  expect([ended.length, unreadable]).toEqual([1, []]);
});
