import { type OffchainStore, offchainStatuses } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";
import { prepareFindLastOfPage } from "./page-of-rows.ts";

const dateSql = `UPDATE offchain SET due_ms = fetched_ms + ?3 WHERE id > ?1 AND id <= ?2
AND json IS NOT NULL AND immutable = 0 AND fetched_ms IS NOT NULL
AND (due_ms IS NULL OR (status = ${offchainStatuses.indexOf("ok")} AND due_ms > fetched_ms + ?4))`;

export const prepareDateRefreshes = (connection: Connection): OffchainStore["dateRefreshes"] => {
  const findLast = prepareFindLastOfPage(connection);
  const date = connection.prepare(dateSql);
  return async (after, limit, { ms, msMax }) =>
    connection.write(() => {
      const from = Number(after ?? 0);
      const { last, next } = findLast(from, limit);
      date.run(from, last, ms, msMax);
      return next;
    });
};
