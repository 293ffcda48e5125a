import { LamplightError } from "@lamplight/errors";
import type { Connection } from "../engine/connection.ts";
import { PROBLEMS_MAX } from "../engine/settings.ts";

/**
 * The engine's own quick look at every page, without the rules between tables.
 *
 * @throws LamplightError `STORE__CORRUPT`
 */
export const assertQuicklySound = (connection: Connection): void => {
  const problems = connection
    .prepare(`PRAGMA quick_check(${PROBLEMS_MAX})`)
    .all()
    .map((row) => String(row[0]))
    .filter((text) => text !== "ok");
  if (problems.length === 0) return;
  throw new LamplightError("STORE__CORRUPT", { store: connection.file, reason: problems.join("; ") });
};
