import {
  contentParts,
  documentQueueOf,
  type OffchainRow,
  type OffchainStatus,
  offchainStatuses,
} from "@lamplight/core";
import { createHash } from "node:crypto";
import { textFromColumn, textToColumn } from "../columns/text-column.ts";
import type { Element, ElementType } from "../engine/array-parameter.ts";
import type { Row } from "../engine/session.ts";

// Statuses are kept as their places in the port's list, to which new words are only appended.

/** What a URI is found by: it may be longer than an index takes. */
export const uriKey = (uri: string): Uint8Array => createHash("sha256").update(uri).digest();

export const offchainColumns: readonly (readonly [name: string, type: ElementType])[] = [
  ["uri_key", "bytea"],
  ["uri", "bytea"],
  ["status", "smallint"],
  ["json", "text"],
  ["sha256", "bytea"],
  ["etag", "text"],
  ["last_modified", "text"],
  ["immutable", "boolean"],
  ["first_seen_ms", "bigint"],
  ["fetched_ms", "bigint"],
  ["due_ms", "bigint"],
  ["attempts", "integer"],
  ["last_error", "text"],
  ["queue", "text"],
  ["content", "text"],
];

/** In the order of `offchainColumns`. */
export const offchainValues = (row: OffchainRow): Element[] => [
  uriKey(row.uri),
  textToColumn(row.uri),
  offchainStatuses.indexOf(row.status),
  row.json,
  row.sha256,
  row.etag,
  row.lastModified,
  row.immutable,
  row.firstSeenMs,
  row.fetchedMs,
  row.dueMs,
  row.attempts,
  row.lastError,
  documentQueueOf(row.uri),
  row.json === null ? null : contentParts(row.json),
];

export const decodeOffchainRow = (row: Row): OffchainRow => ({
  uri: textFromColumn(row[1]),
  status: offchainStatuses[Number(row[2])] as OffchainStatus,
  json: row[3] as string | null,
  sha256: row[4] as Uint8Array | null,
  etag: row[5] as string | null,
  lastModified: row[6] as string | null,
  immutable: row[7] as boolean,
  firstSeenMs: Number(row[8]),
  fetchedMs: numberOrNull(row[9]),
  dueMs: numberOrNull(row[10]),
  attempts: Number(row[11]),
  lastError: row[12] as string | null,
});

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));
