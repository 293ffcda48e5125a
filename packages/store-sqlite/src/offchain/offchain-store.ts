import {
  type AddressBytes,
  type OffchainReader,
  type OffchainRow,
  type OffchainStatus,
  offchainStatuses,
  type OffchainStore,
} from "@lamplight/core";
import { jsonUriHash } from "../columns/asset-row.ts";
import type { Connection, Statement } from "../engine/connection.ts";
import { decodeOffchainRow, offchainColumns, offchainValues } from "./offchain-row.ts";

const columns = offchainColumns.join(", ");
const notedKey = "offchain_noted_seq";

/** The off-chain documents of a store file, over the writer's connection. */
export const prepareOffchainStore = (connection: Connection): OffchainStore => {
  const findRow = connection.prepare(`SELECT ${columns} FROM offchain WHERE uri_hash = ? AND uri = ?`);
  const findNextDue = connection.prepare("SELECT min(due_ms) FROM offchain WHERE due_ms IS NOT NULL");
  const listUnshown = connection.prepare(
    `SELECT ${columns} FROM offchain WHERE shown = 0 ORDER BY id LIMIT ?`,
  );
  const countByStatus = connection.prepare("SELECT status, count(*) FROM offchain GROUP BY status");
  const readSetting = connection.prepare("SELECT value FROM meta WHERE key = ?");
  const putSetting = connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
  const listAssets = connection.prepare(
    "SELECT id FROM asset WHERE json_uri_hash = ? AND json_uri = ? AND id > ? ORDER BY id LIMIT ?",
  );
  const listDue = prepareListDue(connection);
  const writeRow = prepareWriteRow(connection);
  return {
    readDocuments: prepareReadDocuments(connection),
    readRows: (uris) =>
      uris.map((uri) => {
        const row = findRow.get(jsonUriHash(uri), uri);
        return row === undefined ? null : decodeOffchainRow(row);
      }),
    writeRows: (rows) => {
      connection.write(() => {
        for (const row of rows) writeRow(row);
      });
    },
    listDue,
    listUnshown: (limit) => listUnshown.all(limit).map(decodeOffchainRow),
    findNextDue: () => {
      const due = findNextDue.get()?.[0] ?? null;
      return due === null ? null : Number(due);
    },
    countByStatus: () => {
      const counts = Object.fromEntries(offchainStatuses.map((status) => [status, 0])) as Record<
        OffchainStatus,
        number
      >;
      for (const [status, count] of countByStatus.all()) {
        counts[offchainStatuses[Number(status)] as OffchainStatus] = Number(count);
      }
      return counts;
    },
    readNotedSeq: () => Number(readSetting.get(notedKey)?.[0] ?? 0),
    writeNotedSeq: (changeSeq) => {
      connection.write(() => putSetting.run(notedKey, String(changeSeq)));
    },
    listAssetsByUri: (uri, after, limit) =>
      listAssets
        .all(jsonUriHash(uri), uri, after ?? new Uint8Array(0), limit)
        .map(([id]) => id as AddressBytes),
  };
};

/** The documents alone, for the writer's connection and for views. */
export const prepareReadDocuments = (connection: Connection): OffchainReader["readDocuments"] => {
  const find = connection.prepare("SELECT json FROM offchain WHERE uri_hash = ? AND uri = ?");
  const findAny = connection.prepare("SELECT 1 FROM offchain LIMIT 1");
  return (uris) => {
    // Deriving asks for every asset; a store that never fetched pays one look for a whole page.
    if (findAny.get() === undefined) return uris.map(() => null);
    return uris.map((uri) => (find.get(jsonUriHash(uri), uri)?.[0] ?? null) as string | null);
  };
};

/** New rows by their own index first, so that a long list of retries never delays a fresh mint. */
const prepareListDue = (
  connection: Connection,
): ((nowMs: number, limit: number) => readonly OffchainRow[]) => {
  const fresh = connection.prepare(
    `SELECT ${columns} FROM offchain
     WHERE due_ms IS NOT NULL AND fetched_ms IS NULL AND due_ms <= ? ORDER BY first_seen_ms DESC LIMIT ?`,
  );
  const again = connection.prepare(
    `SELECT ${columns} FROM offchain
     WHERE due_ms IS NOT NULL AND due_ms <= ? AND fetched_ms IS NOT NULL ORDER BY due_ms LIMIT ?`,
  );
  return (nowMs, limit) => {
    const first = listRows(fresh, nowMs, limit);
    return first.length === limit ? first : [...first, ...listRows(again, nowMs, limit - first.length)];
  };
};

const listRows = (statement: Statement, nowMs: number, limit: number): readonly OffchainRow[] =>
  statement.all(nowMs, limit).map(decodeOffchainRow);

/** Inserts or replaces a row, in a transaction of the caller. */
export const prepareWriteRow = (connection: Connection): ((row: OffchainRow) => void) => {
  const assignments = offchainColumns.map((column) => `${column} = ?`).join(", ");
  const places = offchainColumns.map(() => "?").join(", ");
  const update = connection.prepare(`UPDATE offchain SET ${assignments} WHERE uri_hash = ? AND uri = ?`);
  const insert = connection.prepare(`INSERT INTO offchain (${columns}) VALUES (${places})`);
  return (row) => {
    const values = offchainValues(row);
    if (update.run(...values, jsonUriHash(row.uri), row.uri) === 0) insert.run(...values);
  };
};
