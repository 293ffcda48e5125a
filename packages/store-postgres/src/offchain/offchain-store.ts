import { decodeStatusCounts, type DueOrder, type OffchainStore, type StoredContent } from "@lamplight/core";
import { byKey, mapKeyOf, uriKey } from "../columns/keys.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { hasContents } from "../queries/read-head.ts";
import { bulkInsert, runBulk } from "../writes/bulk.ts";
import { dateRefreshes } from "./date-refreshes.ts";
import { removeOrphans } from "./remove-orphans.ts";
import { decodeOffchainRow, offchainColumns, offchainValues } from "./offchain-row.ts";

const notedKey = "offchain_noted_seq";
const select = `SELECT ${offchainColumns.map(([name]) => name).join(", ")} FROM offchain`;

/** The size of a text is known without reading it: parts that are too large are not sent. */
const findContents = statement(
  `SELECT uri_key, CASE WHEN octet_length(content) <= $2::bigint THEN content END FROM offchain
WHERE uri_key = ANY ($1::bytea[]) AND content IS NOT NULL`,
);
const findRows = statement(`${select} WHERE uri_key = ANY ($1::bytea[])`);
const moveSettings = statement("UPDATE head SET settings_revision = settings_revision + 1 WHERE id = 1");
const isSame = "excluded.content IS NOT DISTINCT FROM offchain.content";
/** A new row without content has the number negated: it changes nothing. */
const putRows = bulkInsert(
  "offchain",
  [...offchainColumns, ["content_seq", "bigint"]],
  `ON CONFLICT (uri_key) DO UPDATE SET ${offchainColumns
    .filter(([name]) => name !== "uri_key")
    .map(([name]) => `${name} = excluded.${name}`)
    .join(", ")},
content_seq = CASE WHEN ${isSame} THEN offchain.content_seq ELSE abs(excluded.content_seq) END`,
);
const contentAt = offchainColumns.findIndex(([name]) => name === "content");
const readContentSeq = statement("SELECT content_seq FROM head WHERE id = 1");
const findContentChange = statement(
  "SELECT 1 FROM offchain WHERE content_seq > 0 AND content_seq = $1 LIMIT 1",
);
const moveContentSeq = statement("UPDATE head SET content_seq = $1 WHERE id = 1");
const ofQueue = `${select} WHERE queue = $1 AND due_ms IS NOT NULL`;
// With the sum, the engine does not walk by the date and sort.
const isNew = `${ofQueue} AND due_ms + 0 <= $2 AND fetched_ms IS NULL`;
// Each by an index of its own: neither a long list of retries nor a flood of new rows delays the other.
const listDue: Readonly<Record<DueOrder, Statement>> = {
  newest: statement(`${isNew} ORDER BY first_seen_ms DESC LIMIT $3`),
  oldest: statement(`${isNew} ORDER BY first_seen_ms LIMIT $3`),
  tried: statement(`${ofQueue} AND due_ms <= $2 AND fetched_ms IS NOT NULL ORDER BY due_ms LIMIT $3`),
};
const queueAfter = statement(
  "SELECT queue, due_ms FROM offchain WHERE due_ms IS NOT NULL AND queue > $1 ORDER BY queue, due_ms LIMIT 1",
);
const nextDue = statement("SELECT min(due_ms) FROM offchain WHERE due_ms IS NOT NULL");
const counts = statement("SELECT status, count(*) FROM offchain GROUP BY status");
const readSetting = statement("SELECT value FROM meta WHERE key = $1");
const putSetting = statement(
  "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
);

/** Reads the content that documents add to the assets that name them. */
export const readContents = async (
  session: Session,
  uris: readonly string[],
  bytesMax = Number.MAX_SAFE_INTEGER,
): Promise<readonly (StoredContent | null)[]> => {
  if (uris.length === 0) return [];
  const keys = uris.map(uriKey);
  const found = byKey(await session.all(findContents, arrayParameter("bytea", keys), bytesMax));
  return keys.map((key) => {
    const row = found.get(mapKeyOf(key));
    return row === undefined ? null : { parts: row[1] as string | null };
  });
};

/** Lends the writer's session to one caller at a time; `write` runs the body in a transaction. */
export interface WriterTurns {
  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result>;
  write<Result>(body: (session: Session) => Promise<Result>): Promise<Result>;
}

/** The off-chain documents of a store, over the writer's session. */
export const createOffchainStore = ({ read, write }: WriterTurns): OffchainStore => ({
  readRows: (uris) =>
    read(async (session) => {
      if (uris.length === 0) return [];
      const keys = uris.map(uriKey);
      const found = byKey(await session.all(findRows, arrayParameter("bytea", keys)));
      return keys.map((key) => {
        const row = found.get(mapKeyOf(key));
        return row === undefined ? null : decodeOffchainRow(row);
      });
    }),
  writeRows: (rows) =>
    write(async (session) => {
      // The last of several for one URI counts, as if they were written one after the other.
      const last = new Map(rows.map((row) => [row.uri, row]));
      const isFirst = rows.some(({ json }) => json !== null) && !(await hasContents(session));
      const next = Number((await session.get(readContentSeq))?.[0]) + 1;
      const values = [...last.values()].map(offchainValues);
      const numbered = values.map((row) => [...row, row[contentAt] === null ? -next : next]);
      await runBulk(session, putRows, numbered);
      // The head comes last: the writer of the store waits for its row.
      if ((await session.get(findContentChange, next)) !== undefined) await session.run(moveContentSeq, next);
      // Views ask for contents from the first one on: their settings say so.
      if (isFirst) await session.run(moveSettings);
    }),
  listDue: (queue, nowMs, order, limit) =>
    read(async (session) => {
      const rows = await session.all(listDue[order], queue, nowMs, limit);
      return rows.map(decodeOffchainRow);
    }),
  findQueueAfter: (after) =>
    read(async (session) => {
      const row = await session.get(queueAfter, after);
      return row === undefined ? null : { queue: row[0] as string, dueMs: Number(row[1]) };
    }),
  findNextDue: () =>
    read(async (session) => {
      const due = (await session.get(nextDue))?.[0] ?? null;
      return due === null ? null : Number(due);
    }),
  countByStatus: () => read(async (session) => decodeStatusCounts(await session.all(counts))),
  removeOrphans: (after, limit, beforeMs) =>
    write((session) => removeOrphans(session, after, limit, beforeMs)),
  dateRefreshes: (after, limit, age) => write((session) => dateRefreshes(session, after, limit, age)),
  readNotedSeq: () => read(async (session) => Number((await session.get(readSetting, notedKey))?.[0] ?? 0)),
  writeNotedSeq: (changeSeq) =>
    write(async (session) => {
      await session.run(putSetting, notedKey, String(changeSeq));
    }),
});
