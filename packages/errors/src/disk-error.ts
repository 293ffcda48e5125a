import { LamplightError } from "./lamplight-error.ts";

/** The disk has no room, a quota is used up, or the largest size of a file is reached. */
const refusals: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/**
 * `STORE__FULL` for a write that the disk refused. Any other error is returned unchanged.
 *
 * @param place - the file or store that was written, for the message
 */
export const diskError = (error: unknown, place: string): unknown =>
  error instanceof Error && "code" in error && refusals.has(error.code)
    ? new LamplightError("STORE__FULL", { store: place }, { cause: error })
    : error;
