import { LamplightError } from "./lamplight-error.ts";

/**
 * An error of a command line: exit code 2.
 *
 * @param reason - one sentence that names the flag and what it takes
 */
export const usageError = (reason: string, cause?: unknown): LamplightError<"CLI__USAGE"> =>
  new LamplightError("CLI__USAGE", { reason }, cause === undefined ? {} : { cause });
