// A server for tests of the protocol itself: none of them may reach a store, so the store throws.
import { connect } from "node:net";

import type { ContractDocument } from "@lamplight/contract";
import type { ViewSource } from "@lamplight/core";
import { expect } from "vitest";

import { type RunningServer, type ServerOptions, startServer } from "../src/start-server.ts";

export const testKey = "test-key";

export const testDocument: ContractDocument = {
  openrpc: "1.2.6",
  info: { title: "Lamplight", version: "0.0.0" },
  methods: [],
};

/** Fails the call that reads it. */
const untouchableStore: ViewSource = {
  openView: () => {
    throw new Error("this test must not read a store");
  },
};

export const startTestServer = (options: Partial<ServerOptions> = {}): Promise<RunningServer> =>
  startServer({
    viewSource: untouchableStore,
    document: testDocument,
    keys: [testKey],
    port: 0,
    ...options,
  });

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly text: string;
}

/** The text of one call. */
export const callText = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/** Posts a body as it is. */
export const post = async (
  server: RunningServer,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  path = `/v3/${testKey}`,
): Promise<Answer> => {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  const { status, statusText } = response;
  return { status, statusText, headers: response.headers, text: await response.text() };
};

/** The reason must be readable from the status line alone, and the body must be one JSON-RPC error with `id: null`. */
export const expectRefusal = (answer: Answer, status: number, code: number): void => {
  const { error, ...rest } = JSON.parse(answer.text) as { error: { code: number; message: string } };
  expect([answer.status, error.code, rest]).toEqual([status, code, { jsonrpc: "2.0", id: null }]);
  expect(answer.statusText).toBe(error.message);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
};

/** Writes bytes on a bare connection, in the given pieces, and reads until the server hangs up or `isEnough`. */
export const exchangeRaw = (
  server: RunningServer,
  pieces: readonly string[],
  isEnough: (received: string) => boolean = () => false,
): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(server.port, "127.0.0.1", () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      received += text;
      if (isEnough(received)) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
