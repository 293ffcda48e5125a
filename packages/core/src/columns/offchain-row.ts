import { contentParts } from "../content/content-parts.ts";
import { documentQueueOf } from "../domain/document-queue.ts";
import { type OffchainRow, offchainStatuses, type OffchainStatus } from "../ports/offchain-store.ts";
import type { ColumnForms } from "./column.ts";

// Both stores keep off-chain documents in this form. Statuses are kept as their places in the port's list, to which new
// words are only appended.

/** Columns of `offchain` after its keys. */
export const offchainRowColumns = [
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
] as const;

/** The columns of a document, in the order of `offchainRowColumns`. */
export const encodeOffchainRow = <Flag, Text>(
  row: OffchainRow,
  { flagTo, textTo }: ColumnForms<Flag, Text>,
): (Flag | Text | Uint8Array | string | number | null)[] => [
  textTo(row.uri),
  offchainStatuses.indexOf(row.status),
  row.json,
  row.sha256,
  row.etag,
  row.lastModified,
  flagTo(row.immutable),
  row.firstSeenMs,
  row.fetchedMs,
  row.dueMs,
  row.attempts,
  row.lastError,
  documentQueueOf(row.uri),
  row.json === null ? null : contentParts(row.json),
];

/** The document in a row that has `offchainRowColumns` from column `at` on. */
export const decodeOffchainRow = <Flag, Text>(
  row: readonly unknown[],
  at: number,
  { flagFrom, textFrom }: ColumnForms<Flag, Text>,
): OffchainRow => {
  const number = (column: number): number => Number(row[at + column]);
  const numberOrNull = (column: number): number | null => (row[at + column] === null ? null : number(column));
  const text = (column: number): string | null => row[at + column] as string | null;
  return {
    uri: textFrom(row[at]),
    status: offchainStatuses[number(1)] as OffchainStatus,
    json: text(2),
    sha256: row[at + 3] as Uint8Array | null,
    etag: text(4),
    lastModified: text(5),
    immutable: flagFrom(row[at + 6]),
    firstSeenMs: number(7),
    fetchedMs: numberOrNull(8),
    dueMs: numberOrNull(9),
    attempts: number(10),
    lastError: text(11),
  };
};

/** Number of documents by status, from rows of a status and its count. */
export const decodeStatusCounts = (rows: Iterable<readonly unknown[]>): Record<OffchainStatus, number> => {
  const counts = Object.fromEntries(offchainStatuses.map((status) => [status, 0])) as Record<
    OffchainStatus,
    number
  >;
  for (const [status, count] of rows)
    counts[offchainStatuses[Number(status)] as OffchainStatus] = Number(count);
  return counts;
};
