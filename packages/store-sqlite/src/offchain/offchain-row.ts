import {
  contentParts,
  documentQueueOf,
  jsonUriHash,
  type OffchainRow,
  type OffchainStatus,
  offchainStatuses,
} from "@lamplight/core";
import type { SQLInputValue } from "node:sqlite";
import type { Row } from "../engine/connection.ts";

// Statuses are kept as their places in the port's list, to which new words are only appended.

export const offchainColumns: readonly string[] = [
  "uri_hash",
  "uri",
  "status",
  "json",
  "sha256",
  "etag",
  "last_modified",
  "immutable",
  "first_seen_ms",
  "fetched_ms",
  "due_ms",
  "attempts",
  "last_error",
  "queue",
  "content",
];

/** In the order of `offchainColumns`. */
export const offchainValues = (row: OffchainRow): SQLInputValue[] => [
  jsonUriHash(row.uri),
  row.uri,
  offchainStatuses.indexOf(row.status),
  row.json,
  row.sha256,
  row.etag,
  row.lastModified,
  Number(row.immutable),
  row.firstSeenMs,
  row.fetchedMs,
  row.dueMs,
  row.attempts,
  row.lastError,
  documentQueueOf(row.uri),
  row.json === null ? null : contentParts(row.json),
];

export const decodeOffchainRow = (row: Row): OffchainRow => ({
  uri: row[1] as string,
  status: offchainStatuses[Number(row[2])] as OffchainStatus,
  json: row[3] as string | null,
  sha256: row[4] as Uint8Array | null,
  etag: row[5] as string | null,
  lastModified: row[6] as string | null,
  immutable: row[7] === 1n,
  firstSeenMs: Number(row[8]),
  fetchedMs: numberOrNull(row[9]),
  dueMs: numberOrNull(row[10]),
  attempts: Number(row[11]),
  lastError: row[12] as string | null,
});

const numberOrNull = (value: Row[number] | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);
