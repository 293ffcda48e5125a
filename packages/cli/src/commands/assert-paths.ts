import { existsSync } from "node:fs";
import { LamplightError } from "@lamplight/errors";

/**
 * Paths that are to be loaded, asked before a store is opened: opening makes one, and a slip of the pen should not.
 *
 * @throws LamplightError `SOURCE__NO_SUCH_PATH`
 */
export const assertPathsExist = (paths: readonly string[]): void => {
  const path = paths.find((candidate) => !existsSync(candidate));
  if (path !== undefined) throw new LamplightError("SOURCE__NO_SUCH_PATH", { path });
};
