import { LamplightError } from "./lamplight-error.ts";

/**
 * `STORE__FULL` for a write that failed because the disk is full or a quota is used up. Any other error is returned
 * unchanged.
 *
 * @param place - the file or store that was written, for the message
 */
export const diskError = (error: unknown, place: string): unknown =>
  error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT")
    ? new LamplightError("STORE__FULL", { store: place }, { cause: error })
    : error;
