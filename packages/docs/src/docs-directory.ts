import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The same place from the sources and from the built package. */
const site = fileURLToPath(new URL("../dist/site", import.meta.url));

/**
 * Folder of the site: `index.html` and what it refers to, by relative paths only, so that it can be served at any path.
 * Null only in a checkout that was not built: then a server has no pages.
 */
export const docsDirectory: string | null = existsSync(site) ? site : null;
