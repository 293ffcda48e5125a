// A thread that checks the pages of a finished file: see `checkDraft`.
/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */

import { parentPort, workerData } from "node:worker_threads";
import { isLamplightError } from "@lamplight/errors";
import { Connection } from "../engine/connection.ts";
import { WRITER_BUSY_MS } from "../engine/settings.ts";
import { assertQuickCheck } from "../integrity/assert-quick-check.ts";

/** Expected content of the file. */
export interface CheckData {
  readonly file: string;
  readonly accounts: number;
  /** Tables that were checked before. */
  readonly checked: readonly string[];
}

const countSql = "SELECT (SELECT count(*) FROM account) + (SELECT count(*) FROM account_collision)";

/** The first problem found; null = none. */
const check = ({ file, accounts, checked }: CheckData): string | null => {
  const connection = new Connection(file, { readOnly: true, busyMs: WRITER_BUSY_MS });
  try {
    const stored = connection.readNumber(countSql);
    if (stored !== accounts) return `${accounts} accounts were written, ${stored} are there`;
    const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const names = tables.map((row) => String(row[0])).filter((name) => !checked.includes(name));
    assertQuickCheck(connection, checked.length === 0 ? undefined : names);
    return null;
  } catch (error) {
    if (isLamplightError(error, "STORE__CORRUPT")) return error.context.reason;
    throw error;
  } finally {
    connection.close();
  }
};

parentPort?.postMessage(check(workerData as CheckData));
