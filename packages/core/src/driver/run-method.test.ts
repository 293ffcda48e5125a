import { expect, test } from "vitest";
import type { Method } from "../methods/method.ts";
import { createMethodSettings } from "../methods/method-settings.ts";
import { read, readAll } from "../methods/steps.ts";
import type { Read } from "../ports/reads.ts";
import type { CallContext } from "./call-context.ts";
import { runMethod } from "./run-method.ts";

const [first, second] = [new Uint8Array(32), new Uint8Array(32).fill(1)];

const method: Method<object, string> = {
  readsAt: "assets",
  *steps() {
    yield* read.isClosed(first);
    const both = [first, second].map((address) => ({ kind: "isClosed" as const, address }));
    return JSON.stringify(yield* readAll<"isClosed">(both)) as never;
  },
};

const contextOf = (isClosed: (address: Uint8Array) => unknown, seen: unknown[]): CallContext => {
  const onRound = (reads: readonly Read[]) => {
    seen.push(reads.map(({ kind }) => kind));
    return (answers: readonly unknown[]): void => void seen.push(answers);
  };
  const view = { slot: 1, read: ({ address }: { readonly address: Uint8Array }) => isClosed(address) };
  const views = { view: () => view, throwIfCancelled: () => undefined };
  const settings = createMethodSettings({ apiVersion: "1" });
  return { views, settings, onRound } as unknown as CallContext;
};

test.each([
  ["at once", (address: Uint8Array) => address === second],
  ["later", async (address: Uint8Array) => address === second],
])("an observer sees the reads of each round, and their answers: %s", async (_, isClosed) => {
  const seen: unknown[] = [];
  expect(await runMethod("getAsset", method, {}, contextOf(isClosed, seen))).toBe("[false,true]");
  expect(seen).toEqual([["isClosed"], [false], ["isClosed", "isClosed"], [false, true]]);
});

const refuse = (): never => {
  throw new Error("refused");
};

test("an observer sees a round that the store refuses, without answers", async () => {
  const seen: unknown[] = [];
  const call = async (): Promise<unknown> => runMethod("getAsset", method, {}, contextOf(refuse, seen));
  await expect(call()).rejects.toThrow("refused");
  expect(seen).toEqual([["isClosed"]]);
});
