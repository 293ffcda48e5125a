import type { ViewSource } from "@lamplight/core";
import { expect, test } from "vitest";

import { post, TEST_KEY } from "../../test/protocol-server.ts";
import { startServer } from "../start-server.ts";

/** A store whose views never open. */
const silent: ViewSource = { openView: () => new Promise(() => {}) };

test("after its time-out, every entry of a batch has an answer, also those that were not started", async () => {
  const server = await startServer({
    viewSource: silent,
    keys: [TEST_KEY],
    port: 0,
    limits: { callTimeoutMs: 500 },
  });
  const calls = Array.from({ length: 20 }, (_, id) => ({ jsonrpc: "2.0", id, method: "getLargestAccounts" }));
  const { text } = await post(server, JSON.stringify([...calls, { jsonrpc: "2.0", id: 20 }, 7]));
  const replies = JSON.parse(text) as {
    readonly id: number | null;
    readonly error: { readonly code: number };
  }[];
  expect(replies.map(({ id }) => id)).toEqual([...calls.map(({ id }) => id), 20, null]);
  expect(replies.map(({ error }) => error.code).slice(-2)).toEqual([-32600, -32600]);
  await server.stop();
});
