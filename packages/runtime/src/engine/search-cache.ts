import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";

/** Folder for search indexes of stores that are no files; `LAMPLIGHT_SEARCH_CACHE` names another. */
export const defaultSearchCache = (environment: Readonly<Record<string, string | undefined>>): string =>
  environment["LAMPLIGHT_SEARCH_CACHE"] ||
  join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "lamplight");

/**
 * One file per store, for all processes on this machine that serve it. The store's name only separates stores. The store that
 * the file itself names decides whether it is used.
 */
export const searchFileIn = (folder: string, name: string): string => {
  const digest = createHash("sha256").update(name).digest("hex");
  return join(folder, `${digest.slice(0, 32)}.search`);
};
