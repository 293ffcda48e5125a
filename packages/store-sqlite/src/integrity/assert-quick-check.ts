import { LamplightError } from "@lamplight/errors";
import type { Connection } from "../engine/connection.ts";
import { PROBLEMS_MAX } from "../engine/settings.ts";

/**
 * The engine's own quick check of every page, without the rules between tables.
 *
 * @param tables - check these only, with their indexes
 * @throws LamplightError `STORE__CORRUPT`
 */
export const assertQuickCheck = (connection: Connection, tables?: readonly string[]): void => {
  const problems = (tables ?? [PROBLEMS_MAX])
    .flatMap((what) => connection.prepare(`PRAGMA quick_check(${what})`).all())
    .map((row) => String(row[0]))
    .filter((text) => text !== "ok");
  if (problems.length === 0) return;
  throw new LamplightError("STORE__CORRUPT", { store: connection.file, reason: problems.join("; ") });
};
