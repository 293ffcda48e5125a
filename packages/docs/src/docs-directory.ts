import { fileURLToPath } from "node:url";

/**
 * Folder of the generated site: `index.html` and what it refers to, by relative paths only, so that it can be served
 * at any path. It lies beside this file in the sources and in the built package alike.
 */
export const docsDirectory: string = fileURLToPath(new URL("./generated/site", import.meta.url));
