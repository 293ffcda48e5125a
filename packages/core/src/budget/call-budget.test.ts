import { expect, test } from "vitest";
import { type CallContext, createMethodSettings } from "../methods/call-context.ts";
import { withBudget } from "./call-budget.ts";

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
  return { context: { settings, unfinished } as unknown as CallContext, held: () => held };
};

test.each([
  ["it is answered", 1000, 50, null],
  ["it is over its own bound", 1000, 200, "QUERY__OVER_BUDGET"],
  ["all answers are over theirs", 10, 50, "busy"],
])("what a call puts together is counted until %s", async (_, bytesMax, bytes, refusal) => {
  const { context, held } = contextOf(bytesMax);
  let during = 0;
  const call = withBudget(context, async (budget) => {
    try {
      budget.answer(bytes, () => "less");
    } finally {
      during = held();
    }
  });
  if (refusal === null) await call;
  else await expect(call).rejects.toThrow(refusal === "busy" ? "busy" : "the answer is over 100 bytes");
  expect(during).toBe(bytes);
  expect(held()).toBe(0);
});
