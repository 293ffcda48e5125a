import { expect, test } from "vitest";
import type { Method } from "../methods/method.ts";
import { createMethodSettings } from "../methods/method-settings.ts";
import { rows, slice } from "../methods/steps.ts";
import { CallRequest } from "./call-request.ts";
import { runMethod } from "./run-method.ts";

const openView = (): never => {
  throw new Error("nothing is read");
};

class BoundedRequest extends CallRequest {
  held = 0;
  readonly #bytesMax: number;

  constructor(bytesMax: number) {
    const settings = createMethodSettings({ apiVersion: "1", answerBytesMax: 100 });
    super({ viewSource: { openView }, settings });
    this.#bytesMax = bytesMax;
  }

  override addAnswer(bytes: number): void {
    this.held += bytes;
    if (this.held > this.#bytesMax) throw new Error("busy");
  }

  override removeAnswer(bytes: number): void {
    this.held -= bytes;
  }
}

test.each([
  ["it is answered", 1000, 50, null],
  ["it is over its own bound", 1000, 200, "the answer is over 100 bytes; cheaper: 3 parts were too many"],
  ["all answers are over theirs", 10, 50, "busy"],
])("what a call puts together is counted until %s", async (_, bytesMax, bytes, refusal) => {
  const request = new BoundedRequest(bytesMax);
  const during: number[] = [];
  const method: Method<object, string> = {
    readsAt: "assets",
    cheaper: (parts) => `${parts} parts were too many`,
    *steps() {
      yield slice([0, 0, 0]);
      during.push(request.held);
      yield slice([bytes]);
      during.push(request.held);
      return "" as never;
    },
  };
  const call = async (): Promise<unknown> => runMethod("getAsset", method, {}, request);
  if (refusal === null) await call();
  else await expect(call()).rejects.toThrow(refusal);
  expect(during).toEqual(refusal === null ? [0, bytes] : [0]);
  expect(request.held).toBe(0);
});

test.each([
  ["what the method names for its answer", undefined, "fewer parts"],
  ["what takes fewer of them, where the step names it", "fewer rows", "fewer rows"],
])("bytes that are read and not answered are bounded, and the hint is %s", async (_, named, hint) => {
  const method: Method<object, string> = {
    readsAt: "assets",
    cheaper: () => "fewer parts",
    *steps() {
      yield rows(400, named);
      yield rows(1, named);
      return "" as never;
    },
  };
  const call = async (): Promise<unknown> => runMethod("getAsset", method, {}, new BoundedRequest(1000));
  await expect(call()).rejects.toThrow(
    `the answer would take over 400 bytes of stored data; cheaper: ${hint}`,
  );
});
