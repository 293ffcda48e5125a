import { LamplightError } from "@lamplight/errors";
import type { Connection } from "../engine/connection.ts";
import { PROBLEMS_MAX } from "../engine/settings.ts";

/** Findings in a message; the others are counted. */
const SHOWN_MAX = 2;

/**
 * The engine's own quick check of every page, without the rules between tables.
 *
 * @param of - the file that a fault is reported of: a copy of its pages has its faults; default: the one that is open
 * @param tables - check these only, with their indexes
 * @throws LamplightError `STORE__CORRUPT`
 */
export const assertQuickCheck = (
  connection: Connection,
  tables?: readonly string[],
  of: string = connection.file,
): void => {
  // A row may hold several findings, a line each, below a title between asterisks.
  const problems = (tables ?? [PROBLEMS_MAX])
    .flatMap((what) => connection.prepare(`PRAGMA quick_check(${what})`).all())
    .flatMap((row) => String(row[0]).split("\n"))
    .filter((text) => text !== "ok" && text !== "" && !text.startsWith("***"));
  if (problems.length === 0) return;
  const rest = problems.length - SHOWN_MAX;
  const shown = problems.slice(0, SHOWN_MAX).join("; ");
  throw new LamplightError("STORE__CORRUPT", {
    store: of,
    reason: rest > 0 ? `${shown}; and ${rest} more` : shown,
  });
};
