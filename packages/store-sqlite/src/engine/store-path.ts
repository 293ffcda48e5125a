import { readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { LamplightError } from "@lamplight/errors";

/** Links that are followed one after another, as many as Linux follows. */
const LINKS_MAX = 40;

/**
 * The file that a path leads to over symbolic links, also where it does not exist yet. The engine puts its log next to
 * that file, and a store has one lock there, regardless of the link that names it.
 */
export const realFile = (file: string): string => {
  let path = file;
  for (let links = 0; links < LINKS_MAX; links++) {
    const target = targetOf(path);
    if (target === null) return path;
    // The folder may be a link too, and `..` is then that of the folder behind it.
    path = resolve(realpathSync(dirname(path)), target);
  }
  // Opening it reports the circle.
  return file;
};

/** Null for a path that is no link. */
const targetOf = (path: string): string | null => {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
};

/**
 * Opening a pipe would wait for its other end, and a load would replace a device. A missing file passes.
 *
 * @throws LamplightError `STORE__NOT_A_STORE`
 */
export const assertRegularFile = (file: string): void => {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || stat.isFile()) return;
  const reason = stat.isDirectory() ? "a folder" : "a device, a pipe or a socket";
  throw new LamplightError("STORE__NOT_A_STORE", { store: file, reason });
};
