import { expect, test } from "vitest";
import type { Method } from "../methods/method.ts";
import { createMethodSettings } from "../methods/method-settings.ts";
import { read, readAll } from "../methods/steps.ts";
import type { Read } from "../ports/reads.ts";
import { NeedsSnapshot } from "../ports/needs-snapshot.ts";
import type { ReadView } from "../ports/read-view.ts";
import { CallRequest } from "./call-request.ts";
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

const requestOf = (isClosed: (address: Uint8Array) => unknown, seen: unknown[]): CallRequest => {
  const onRound = (reads: readonly Read[]) => {
    seen.push(reads.map(({ kind }) => kind));
    return (answers: readonly unknown[]): void => void seen.push(answers);
  };
  const view = {
    slot: 1,
    coverage: { kind: "whole" },
    read: ({ address }: { readonly address: Uint8Array }) => isClosed(address),
  } as unknown as ReadView;
  const settings = createMethodSettings({ apiVersion: "1" });
  return new CallRequest({ viewSource: { openView: () => view }, settings, onRound });
};

test.each([
  ["at once", (address: Uint8Array) => address === second],
  ["later", async (address: Uint8Array) => address === second],
])("an observer sees the reads of each round, and their answers: %s", async (_, isClosed) => {
  const seen: unknown[] = [];
  expect(await runMethod("getAsset", method, {}, requestOf(isClosed, seen))).toBe("[false,true]");
  expect(seen).toEqual([["isClosed"], [false], ["isClosed", "isClosed"], [false, true]]);
});

const refuse = (): never => {
  throw new Error("refused");
};

test("an observer sees a round that the store refuses, without answers", async () => {
  const seen: unknown[] = [];
  const call = async (): Promise<unknown> => runMethod("getAsset", method, {}, requestOf(refuse, seen));
  await expect(call()).rejects.toThrow("refused");
  expect(seen).toEqual([["isClosed"]]);
});

/** A call that is alone; each of its views needs a snapshot. */
const needingSnapshot = (onOpen: () => void): CallRequest => {
  const view = {
    slot: 1,
    coverage: { kind: "whole" },
    close: () => undefined,
    read: async () => {
      throw new NeedsSnapshot();
    },
  } as unknown as ReadView;
  const openView = (): ReadView => {
    onOpen();
    return view;
  };
  const settings = createMethodSettings({ apiVersion: "1" });
  return new CallRequest({ viewSource: { openView }, settings, isAlone: true });
};

test.each([
  [false, 2],
  [true, 1],
])("a call starts again on a snapshot, but not for a caller that is gone: %s", async (isGone, wanted) => {
  let opened = 0;
  const request = needingSnapshot(() => void (opened += 1));
  const call = runMethod("getAsset", method, {}, request);
  if (isGone) request.cancel();
  await expect(call).rejects.toThrow(isGone ? "the caller is gone" : NeedsSnapshot);
  expect(opened).toBe(wanted);
});
