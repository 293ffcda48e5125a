import type { Context } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import type { Coverage } from "../domain/coverage.ts";
import type { JsonText } from "../json/json-text.ts";
import { objectWriter } from "../json/object-writer.ts";
import type { ReadView } from "../ports/read-view.ts";
import type { MethodSettings, RequestViews } from "./call-context.ts";

const writeContext = objectWriter<Context>()("apiVersion", "slot");

/** The `context` member of the four account methods. */
export const shapeContext = (settings: MethodSettings, slot: number): JsonText<Context> =>
  writeContext(settings.apiVersionText, slot);

/** @throws LamplightError `ACCOUNT__SLOT_NOT_REACHED` when the view is older than the caller asks for */
export const assertMinContextSlot = (view: ReadView, minContextSlot: number | bigint | undefined): void => {
  if (minContextSlot !== undefined && BigInt(minContextSlot) > BigInt(view.slot))
    throw new LamplightError("ACCOUNT__SLOT_NOT_REACHED", { contextSlot: view.slot });
};

/**
 * For a listing that the coverage does not contain as a whole: over dumps it answers from what they hold, and the reply
 * has the header `X-Coverage: partial`.
 *
 * @throws LamplightError `STORE__NOT_COVERED` over anything else but the whole chain
 */
export const assertListable = (views: RequestViews, coverage: Coverage, what: string): void => {
  if (coverage.kind === "whole") return;
  if (coverage.dumps !== true) throw new LamplightError("STORE__NOT_COVERED", { what });
  views.notePartial();
};

/** @throws LamplightError `STORE__NOT_COVERED` over anything else but the whole chain */
export const assertWhole = (coverage: Coverage, what: string): void => {
  if (coverage.kind !== "whole") throw new LamplightError("STORE__NOT_COVERED", { what });
};
