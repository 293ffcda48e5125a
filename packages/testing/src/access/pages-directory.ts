import { docsDirectory } from "@lamplight/docs";
import { LamplightError } from "@lamplight/errors";

/**
 * The folder of the explorer and the documentation. The published package contains it.
 *
 * @throws LamplightError `CHAIN__INVALID_INPUT` in a checkout of the repository that was not built
 */
export const pagesDirectory = (): string => {
  if (docsDirectory !== null) return docsDirectory;
  const reason = "needs the pages, which are not built: run npx turbo run build";
  throw new LamplightError("CHAIN__INVALID_INPUT", { property: "explorer", reason });
};
