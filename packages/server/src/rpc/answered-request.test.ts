import type { ReadView, ViewSource } from "@lamplight/core";
import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";

import { post, testKey } from "../../test/protocol-server.ts";
import { startServer } from "../start-server.ts";

/** A store whose views never open. */
const silent: ViewSource = { openView: () => new Promise(() => {}) };

/** A store that answers later, with assets that have a document of so many characters; it counts what waits for it. */
const slowStore = (documentChars = 100) => {
  const waiting: { readonly kind: string; readonly answer: () => void }[] = [];
  const document = JSON.stringify({ interface: "V1_NFT", pad: "x".repeat(documentChars) });
  const own = { ordinal: 1, document, extras: null, updatedSlot: 1 };
  const asset = { own, content: null, collection: null, incompleteTree: null };
  const view = {
    slot: 1,
    coverage: { kind: "whole" },
    incompleteTrees: [],
    close: () => undefined,
    read: ({ kind }: { readonly kind: string }) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      waiting.push({ kind, answer: () => resolve(kind === "asset" ? asset : null) });
      return promise;
    },
  } as unknown as ReadView;
  return { waiting, viewSource: { openView: () => view } satisfies ViewSource };
};

const batchOf = (method: string, count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, id) => ({
      jsonrpc: "2.0",
      id,
      method,
      params: ["So11111111111111111111111111111111111111112"],
    })),
  );

test("all getAsset of a batch are asked for before any is answered, other calls eight at a time", async () => {
  const { waiting, viewSource } = slowStore();
  const server = await startServer({ viewSource, keys: [testKey], port: 0 });
  const accounts = JSON.parse(batchOf("getAccountInfo", 20)) as unknown[];
  const assets = JSON.parse(batchOf("getAsset", 70)) as unknown[];
  const posted = post(server, JSON.stringify([...assets, ...accounts]));
  await vi.waitFor(() => expect(waiting).toHaveLength(78));
  expect(waiting.filter(({ kind }) => kind === "asset")).toHaveLength(70);
  while (waiting.length > 0) {
    waiting.shift()!.answer();
    await setImmediate();
    expect(waiting.filter(({ kind }) => kind !== "asset").length).toBeLessThanOrEqual(8);
  }
  expect(JSON.parse((await posted).text)).toHaveLength(90);
  await server.stop();
});

test("calls that ran side by side are refused where their answers are more than callers may owe", async () => {
  const { waiting, viewSource } = slowStore(1 << 20);
  const limits = { owedBytes: 8 << 20, answerBytes: 2 << 20, batchReplyChars: 64 << 20 };
  const server = await startServer({ viewSource, keys: [testKey], port: 0, limits });
  const posted = post(server, batchOf("getAsset", 50));
  await vi.waitFor(() => expect(waiting).toHaveLength(50));
  for (const { answer } of waiting) answer();
  const replies = JSON.parse((await posted).text) as { readonly error?: { readonly code: number } }[];
  const answered = replies.filter(({ error }) => error === undefined).length;
  expect(answered).toBeGreaterThan(2);
  expect(answered).toBeLessThan(12);
  expect(new Set(replies.slice(answered).map(({ error }) => error?.code))).toEqual(new Set([-32069]));
  await server.stop();
});

test("after its time-out, every entry of a batch has an answer, also those that were not started", async () => {
  const server = await startServer({
    viewSource: silent,
    keys: [testKey],
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
