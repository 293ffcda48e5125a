import type { OffchainStore } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";
import { prepareFindLastOfPage } from "./page-of-rows.ts";

/**
 * Row numbers and numbers of changes are given from the highest that there is. A number that was given must not be given
 * again, because readers remember it, so the rows with the highest ones stay.
 */
const orphansSql = `SELECT id FROM (SELECT id, uri_hash, first_seen_ms, content_seq FROM offchain
WHERE id > ?1 ORDER BY id LIMIT ?2) AS page
WHERE first_seen_ms < ?3 AND id < (SELECT max(id) FROM offchain)
AND content_seq < (SELECT ifnull(max(content_seq), 0) + (max(content_seq) IS NULL) FROM offchain WHERE content_seq > 0)
AND NOT EXISTS (SELECT 1 FROM asset WHERE asset.json_uri_hash = page.uri_hash)`;

/** Two URIs may have one hash: then both stay as long as an asset names one of them. */
export const prepareRemoveOrphans = (connection: Connection): NonNullable<OffchainStore["removeOrphans"]> => {
  const listOrphans = connection.prepare(orphansSql);
  const findLast = prepareFindLastOfPage(connection);
  const remove = connection.prepare("DELETE FROM offchain WHERE id = ?");
  return async (after, limit, beforeMs) =>
    connection.write(() => {
      const from = Number(after ?? 0);
      const { next } = findLast(from, limit);
      const orphans = listOrphans.all(from, limit, beforeMs);
      for (const [id] of orphans) remove.run(id!);
      return { removed: orphans.length, after: next };
    });
};
