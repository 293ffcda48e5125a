import type { NextRow } from "@lamplight/core";
import type { Session } from "../engine/session.ts";
import { bulkDelete, bulkUpsert, runBulk } from "./bulk.ts";

const putRows = bulkUpsert(
  "asset_next",
  [
    ["id", "bytea"],
    ["body", "bytea"],
  ],
  ["id"],
);
const removeRows = bulkDelete("asset_next", [["id", "bytea"]]);

/** Puts rows of the next set, or removes them. Part of a transaction. */
export const writeNextRows = async (session: Session, rows: readonly NextRow[]): Promise<void> => {
  const put = rows.flatMap(({ id, body }) => (body === null ? [] : [[id, body]]));
  const removed = rows.flatMap(({ id, body }) => (body === null ? [[id]] : []));
  await runBulk(session, removeRows, removed);
  await runBulk(session, putRows, put);
};
