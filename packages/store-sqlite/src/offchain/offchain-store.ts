import {
  decodeStatusCounts,
  type DueOrder,
  jsonUriHash,
  type OffchainRow,
  type OffchainStore,
  type PackedContent,
  type PackedContents,
  type StoredContent,
  TOO_LARGE,
} from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";
import { prepareDateRefreshes } from "./date-refreshes.ts";
import { decodeOffchainRow, offchainColumns, offchainValues } from "./offchain-row.ts";
import { prepareRemoveOrphans } from "./remove-orphans.ts";

const columns = offchainColumns.join(", ");
const ofQueue = `SELECT ${columns} FROM offchain WHERE queue = ? AND due_ms IS NOT NULL`;
// With the plus, the engine does not walk by the date and sort.
const isNew = `${ofQueue} AND +due_ms <= ? AND fetched_ms IS NULL`;
/** Each by an index of its own: neither a long list of retries nor a flood of new rows delays the other. */
export const listDueSql: Readonly<Record<DueOrder, string>> = {
  newest: `${isNew} ORDER BY first_seen_ms DESC LIMIT ?`,
  oldest: `${isNew} ORDER BY first_seen_ms LIMIT ?`,
  tried: `${ofQueue} AND due_ms <= ? AND fetched_ms IS NOT NULL ORDER BY due_ms LIMIT ?`,
};
export const findQueueAfterSql =
  "SELECT queue, due_ms FROM offchain WHERE due_ms IS NOT NULL AND queue > ? ORDER BY queue, due_ms LIMIT 1";
const notedKey = "offchain_noted_seq";

/** The off-chain documents of a store file, over the writer's connection. */
export const prepareOffchainStore = (connection: Connection): OffchainStore => {
  const findRow = connection.prepare(`SELECT ${columns} FROM offchain WHERE uri_hash = ? AND uri = ?`);
  const findNextDue = connection.prepare("SELECT min(due_ms) FROM offchain WHERE due_ms IS NOT NULL");
  const findQueueAfter = connection.prepare(findQueueAfterSql);
  const countByStatus = connection.prepare("SELECT status, count(*) FROM offchain GROUP BY status");
  const readSetting = connection.prepare("SELECT value FROM meta WHERE key = ?");
  const putSetting = connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
  const listDue = {
    newest: connection.prepare(listDueSql.newest),
    oldest: connection.prepare(listDueSql.oldest),
    tried: connection.prepare(listDueSql.tried),
  };
  const writeRow = prepareWriteRow(connection);
  return {
    readRows: async (uris) =>
      uris.map((uri) => {
        const row = findRow.get(jsonUriHash(uri), uri);
        return row === undefined ? null : decodeOffchainRow(row);
      }),
    writeRows: async (rows) => {
      connection.write(() => {
        for (const row of rows) writeRow(row);
      });
    },
    listDue: async (queue, nowMs, order, limit) =>
      listDue[order].all(queue, nowMs, limit).map(decodeOffchainRow),
    findQueueAfter: async (after) => {
      const row = findQueueAfter.get(after);
      return row === undefined ? null : { queue: row[0] as string, dueMs: Number(row[1]) };
    },
    findNextDue: async () => {
      const due = findNextDue.get()?.[0] ?? null;
      return due === null ? null : Number(due);
    },
    countByStatus: async () => decodeStatusCounts(countByStatus.all()),
    removeOrphans: prepareRemoveOrphans(connection),
    dateRefreshes: prepareDateRefreshes(connection),
    readNotedSeq: async () => Number(readSetting.get(notedKey)?.[0] ?? 0),
    writeNotedSeq: async (changeSeq) => {
      connection.write(() => putSetting.run(notedKey, String(changeSeq)));
    },
  };
};

const shownContent = "CASE WHEN octet_length(content) <= ?2 THEN content END";
const findContentSql = `SELECT ${shownContent} FROM offchain WHERE uri_hash = ?1 AND uri = ?3 AND content IS NOT NULL`;
/** Those of a page in one statement. Hashes come as one JSON array; two URIs of one hash each find both rows. */
export const listContentsSql = `SELECT asked.key, uri, ${shownContent} FROM json_each(?1) AS asked
CROSS JOIN offchain ON uri_hash = asked.value WHERE content IS NOT NULL`;

/** Prepares the read of the content that documents add to the assets that name them. */
export const prepareReadContents = (
  connection: Connection,
): ((uris: readonly string[], bytesMax?: number) => readonly (StoredContent | null)[]) => {
  const find = connection.prepare(findContentSql);
  const list = connection.prepareSmall(listContentsSql);
  const findAny = connection.prepare("SELECT 1 FROM offchain LIMIT 1");
  return (uris, bytesMax = Number.MAX_SAFE_INTEGER) => {
    // Every read of an asset asks; in a store without documents, one lookup answers for a whole page.
    if (findAny.get() === undefined) return uris.map(() => null);
    if (uris.length === 1) {
      const row = find.get(jsonUriHash(uris[0]!), bytesMax, uris[0]!);
      return [row === undefined ? null : { parts: row[0] as string | null }];
    }
    const contents: (StoredContent | null)[] = uris.map(() => null);
    for (const row of list.all(`[${uris.map(jsonUriHash).join(",")}]`, bytesMax)) {
      const index = row[0] as number;
      if (row[1] === uris[index]) contents[index] = { parts: row[2] as string | null };
    }
    return contents;
  };
};

/** Row numbers of documents that a connection caches, about 10 MB. Beyond it, all are looked up again. */
const KNOWN_DOCUMENTS_MAX = 50_000;

/** JSON text has no control characters, and what a document adds begins with `[`. */
const SEPARATOR = 30;
const tooLargeMark = "-";
/** In place of a row that a view does not have: it is removed, or newer than the view. */
const noRowMark = "!";
/** Contents of several documents as one row. */
export const packContentsSql = `SELECT CAST(group_concat(CASE WHEN offchain.id IS NULL THEN '${noRowMark}' WHEN octet_length(content) <= ?2 THEN content
WHEN content IS NULL THEN '' ELSE '${tooLargeMark}' END, char(${SEPARATOR})) AS BLOB)
FROM json_each(?1) AS asked LEFT JOIN offchain ON offchain.id = asked.value`;
/** Hashes may collide, so the URI itself is compared. */
export const listIdsSql = `SELECT asked.key, uri, offchain.id FROM json_each(?1) AS asked
CROSS JOIN offchain ON uri_hash = asked.value`;

/** The same as bytes. */
export const preparePackContents = (
  connection: Connection,
): ((uris: readonly string[], bytesMax: number) => PackedContents) => {
  const pack = connection.prepareSmall(packContentsSql);
  const list = connection.prepareSmall(listIdsSql);
  // Rows keep their numbers, and no number is given twice. A removed row may have another number when it comes again.
  let known = new Map<string, number>();
  const learn = (uris: readonly string[], ids: number[]): void => {
    const unknown = uris.filter((_, index) => ids[index] === NO_DOCUMENT);
    if (known.size + unknown.length > KNOWN_DOCUMENTS_MAX) known = new Map();
    for (const [index, uri, id] of list.all(`[${unknown.map(jsonUriHash).join(",")}]`))
      if (uri === unknown[index as number]) known.set(uri as string, id as number);
    for (const [index, uri] of uris.entries())
      if (ids[index] === NO_DOCUMENT) ids[index] = known.get(uri) ?? NO_DOCUMENT;
  };
  const read = (ids: readonly number[], bytesMax: number): MarkedContents => {
    const [contents] = pack.get(`[${ids.join(",")}]`, bytesMax)!;
    const { buffer, byteOffset, byteLength } = contents as Uint8Array<ArrayBuffer>;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return { bytes, places: placesIn(bytes, ids.length) };
  };
  return (uris, bytesMax) => {
    const ids = uris.map((uri) => known.get(uri) ?? NO_DOCUMENT);
    const wereKnown = !ids.every((id) => id === NO_DOCUMENT);
    if (ids.includes(NO_DOCUMENT)) learn(uris, ids);
    const packed = read(ids, bytesMax);
    const isGone = (index: number): boolean => ids[index] !== NO_DOCUMENT && packed.places[index] === "noRow";
    if (!wereKnown || !ids.some((_, index) => isGone(index))) return withoutMarks(packed);
    for (const [index, uri] of uris.entries()) {
      if (!isGone(index)) continue;
      known.delete(uri);
      ids[index] = NO_DOCUMENT;
    }
    learn(uris, ids);
    return withoutMarks(read(ids, bytesMax));
  };
};

interface MarkedContents {
  readonly bytes: Buffer;
  readonly places: readonly (PackedContent | "noRow")[];
}

const withoutMarks = ({ bytes, places }: MarkedContents): PackedContents => ({
  bytes,
  places: places.map((place) => (place === "noRow" ? null : place)),
});

const placesIn = (bytes: Buffer, contents: number): MarkedContents["places"] => {
  const places: (PackedContent | "noRow")[] = [];
  for (let start = 0; places.length < contents;) {
    const next = bytes.indexOf(SEPARATOR, start);
    const end = next === -1 ? bytes.length : next;
    if (end === start) places.push(null);
    else if (bytes[start] === noRowByte) places.push("noRow");
    else places.push(bytes[start] === tooLargeByte ? TOO_LARGE : { start, size: end - start });
    start = end + 1;
  }
  return places;
};

const tooLargeByte = tooLargeMark.charCodeAt(0);
const noRowByte = noRowMark.charCodeAt(0);

/** Row numbers start with 1. */
const NO_DOCUMENT = 0;

const nextContentSeq = "(SELECT ifnull(max(content_seq), 0) + 1 FROM offchain WHERE content_seq > 0)";

/** Inserts or replaces a row, in a transaction of the caller. */
export const prepareWriteRow = (connection: Connection): ((row: OffchainRow) => void) => {
  const places = offchainColumns.map((_, index) => `?${index + 1}`);
  const assignments = offchainColumns.map((column, index) => `${column} = ${places[index]}`).join(", ");
  const content = places[offchainColumns.indexOf("content")]!;
  // In an assignment, a column is what it was before.
  const update = connection.prepare(`UPDATE offchain SET ${assignments},
content_seq = CASE WHEN content IS ${content} THEN content_seq ELSE ${nextContentSeq} END
WHERE uri_hash = ?1 AND uri = ?2`);
  const insert = connection.prepare(`INSERT INTO offchain (${columns}, content_seq)
VALUES (${places.join(", ")}, CASE WHEN ${content} IS NULL THEN 0 ELSE ${nextContentSeq} END)`);
  return (row) => {
    const values = offchainValues(row);
    if (update.run(...values) === 0) insert.run(...values);
  };
};
