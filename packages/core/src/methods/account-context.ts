import type { Context } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import type { JsonText } from "../json/json-text.ts";
import { objectWriter } from "../json/object-writer.ts";
import type { Call } from "./method.ts";

const writeContext = objectWriter<Context>()("apiVersion", "slot");

/** The `context` member of the four account methods. */
export const shapeContext = ({ settings, slot }: Call): JsonText<Context> =>
  writeContext(settings.apiVersionText, slot);

/**
 * For a listing that the coverage does not contain as a whole: over dumps it answers from what they hold, and the reply
 * has the header `X-Coverage: partial`.
 *
 * @throws LamplightError `STORE__NOT_COVERED` over anything else but the whole chain
 */
export const assertListable = (call: Call, what: string): void => {
  const { coverage } = call;
  if (coverage.kind === "whole") return;
  if (coverage.dumps !== true) throw new LamplightError("STORE__NOT_COVERED", { what });
  call.notePartial();
};

/** @throws LamplightError `STORE__NOT_COVERED` over anything else but the whole chain */
export const assertWhole = ({ coverage }: Call, what: string): void => {
  if (coverage.kind !== "whole") throw new LamplightError("STORE__NOT_COVERED", { what });
};
