import { statSync } from "node:fs";

import type { Log } from "../log/log.ts";

/** The bit by which everybody may read a file. */
const OTHERS_READ = 0o004;

/** Warns of each file with keys that every user of this machine may read. */
export const warnOfOpenKeyFiles = (files: readonly string[], log: Log): void => {
  // Windows has no such bits; Node makes them up.
  if (process.platform === "win32") return;
  for (const file of files) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & OTHERS_READ) === 0) continue;
    log.warn(
      { file, mode: (mode & 0o777).toString(8) },
      "every user of this machine can read this file with API keys; run chmod 600 on it",
    );
  }
};
