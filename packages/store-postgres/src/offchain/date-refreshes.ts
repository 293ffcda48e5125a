import { offchainStatuses, type RefreshAge } from "@lamplight/core";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";

const findLast = statement(
  "SELECT uri_key FROM offchain WHERE uri_key > $1 ORDER BY uri_key LIMIT 1 OFFSET $2",
);
const date = statement(`UPDATE offchain SET due_ms = fetched_ms + $3 WHERE uri_key > $1 AND uri_key <= $2
AND json IS NOT NULL AND NOT immutable AND fetched_ms IS NOT NULL
AND (due_ms IS NULL OR (status = ${offchainStatuses.indexOf("ok")} AND due_ms > fetched_ms + $4))`);
/** Not before any key, which is a hash of 32 bytes. */
const lastKey = new Uint8Array(32).fill(255);

/** Within the session's current transaction. */
export const dateRefreshes = async (
  session: Session,
  after: string | null,
  limit: number,
  { ms, msMax }: RefreshAge,
): Promise<string | null> => {
  const from = Buffer.from(after ?? "", "hex");
  const last = (await session.get(findLast, from, limit - 1))?.[0] as Uint8Array | undefined;
  await session.run(date, from, last ?? lastKey, ms, msMax);
  return last === undefined ? null : Buffer.from(last).toString("hex");
};
