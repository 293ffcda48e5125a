import { LamplightError } from "@lamplight/errors";

import type { PictureSettings } from "../config/settings.ts";

/** The picture settings as the explorer needs them. */
export interface PicturePolicy {
  /** Members of `docs-config.json`; none without a setting. */
  readonly config: Partial<PictureSettings>;
  /** Sources of `img-src`, in addition to the server itself. */
  readonly sources: string;
}

/**
 * Checks the picture settings.
 *
 * @throws LamplightError `CONFIG__INVALID` for `proxy` without an https URL, and for a URL without `proxy`
 */
export const createPicturePolicy = ({ pictures, pictureProxy }: PictureSettings): PicturePolicy => {
  if (pictures !== "proxy") {
    if (pictureProxy !== null) throw invalid("is given, and `pictures` is not `proxy`");
    return { config: pictures === null ? {} : { pictures }, sources: "https: data:" };
  }
  if (pictureProxy === null) throw invalid("is missing, and `pictures` is `proxy`");
  const url = URL.canParse(pictureProxy) ? new URL(pictureProxy) : null;
  if (url?.protocol !== "https:") throw invalid("must be an https URL");
  return { config: { pictures, pictureProxy }, sources: `${url.origin} data:` };
};

const invalid = (reason: string): LamplightError =>
  new LamplightError("CONFIG__INVALID", { file: "the server's settings", field: "pictureProxy", reason });
