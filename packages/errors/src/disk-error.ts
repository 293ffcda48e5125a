import { LamplightError } from "./lamplight-error.ts";

/**
 * What the operating system said of a write: no room, or none left of a quota, is `STORE__FULL`; anything else is as it is.
 *
 * @param place - what was written, as the error names it
 */
export const diskError = (error: unknown, place: string): unknown =>
  error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT")
    ? new LamplightError("STORE__FULL", { store: place }, { cause: error })
    : error;
