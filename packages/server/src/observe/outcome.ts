/**
 * The end of a call or request in one word: a result; an error of the caller; refused for lack of room or right; failed on our side;
 * no answer, because its caller had left.
 */
export type Outcome = "ok" | "error" | "refused" | "failed" | "gone";

const refused: ReadonlySet<string> = new Set([
  "SERVER__BUSY",
  "STORE__BUSY",
  "STORE__LOADING",
  "CHAIN__FINALITY_STALLED",
  "REQUEST__KEY_UNKNOWN",
  "REQUEST__KEY_NOT_ALLOWED",
  "REQUEST__RATE",
  "REQUEST__QUOTA",
]);

const ours = /^(?:INTERNAL|STORE__|CHAIN__|CODEC__)/u;

/** @param error - registry name; null for a result */
export const outcomeOf = (error: string | null): Outcome => {
  if (error === null) return "ok";
  if (refused.has(error)) return "refused";
  return ours.test(error) && error !== "STORE__NOT_COVERED" ? "failed" : "error";
};
