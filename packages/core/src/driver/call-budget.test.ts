import { expect, test } from "vitest";
import type { Method } from "../methods/method.ts";
import { createMethodSettings } from "../methods/method-settings.ts";
import { slice } from "../methods/steps.ts";
import type { CallContext } from "./call-context.ts";
import { runMethod } from "./run-method.ts";

const contextOf = (bytesMax: number): { readonly context: CallContext; readonly held: () => number } => {
  let held = 0;
  const unfinished = {
    add(bytes: number): void {
      held += bytes;
      if (held > bytesMax) throw new Error("busy");
    },
    remove: (bytes: number): void => void (held -= bytes),
  };
  const settings = createMethodSettings({ apiVersion: "1", answerBytesMax: 100 });
  const views = { throwIfCancelled: () => undefined };
  return { context: { views, settings, unfinished } as unknown as CallContext, held: () => held };
};

test.each([
  ["it is answered", 1000, 50, null],
  ["it is over its own bound", 1000, 200, "the answer is over 100 bytes; cheaper: 3 parts were too many"],
  ["all answers are over theirs", 10, 50, "busy"],
])("what a call puts together is counted until %s", async (_, bytesMax, bytes, refusal) => {
  const { context, held } = contextOf(bytesMax);
  const during: number[] = [];
  const method: Method<object, string> = {
    readsAt: "assets",
    cheaper: (parts) => `${parts} parts were too many`,
    *steps() {
      yield slice([0, 0, 0]);
      during.push(held());
      yield slice([bytes]);
      during.push(held());
      return "" as never;
    },
  };
  const call = async (): Promise<unknown> => runMethod("getAsset", method, {}, context);
  if (refusal === null) await call();
  else await expect(call()).rejects.toThrow(refusal);
  expect(during).toEqual(refusal === null ? [0, bytes] : [0]);
  expect(held()).toBe(0);
});
