import { LamplightError } from "@lamplight/errors";

export const notCovered = (what: string): LamplightError =>
  new LamplightError("STORE__NOT_COVERED", { what });
