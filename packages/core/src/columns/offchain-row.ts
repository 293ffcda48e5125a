import { contentParts } from "../content/content-parts.ts";
import { documentQueueOf } from "../domain/document-queue.ts";
import { type OffchainRow, offchainStatuses, type OffchainStatus } from "../ports/offchain-store.ts";
import {
  bytes,
  type Column,
  type ColumnForms,
  flag,
  integer,
  orNull,
  plainText,
  text,
  word,
} from "./column.ts";
import { type RowCodec, type RowColumns, rowCodec } from "./row-codec.ts";

// Both stores keep off-chain documents in this form.

/** The column of each member of a document. */
export const offchainColumns: RowColumns<OffchainRow> = {
  uri: text("uri"),
  status: word("status", offchainStatuses),
  json: orNull(plainText("json")),
  sha256: orNull(bytes("sha256")),
  etag: orNull(plainText("etag")),
  lastModified: orNull(plainText("last_modified")),
  immutable: flag("immutable"),
  firstSeenMs: integer("first_seen_ms", "int64"),
  fetchedMs: orNull(integer("fetched_ms", "int64")),
  dueMs: orNull(integer("due_ms", "int64")),
  attempts: integer("attempts", "int32"),
  lastError: orNull(plainText("last_error")),
};

/** Columns of `offchain` after its keys: of each member, and what follows from them. */
export const offchainRowColumns: readonly Column<unknown>[] = [
  ...(Object.values(offchainColumns) as readonly Column<unknown>[]),
  plainText("queue"),
  orNull(plainText("content")),
];

/** Turns a document into cells in the order of `offchainRowColumns`, and back. */
export const offchainCodec = <Flag, Text>(
  forms: ColumnForms<Flag, Text>,
): RowCodec<OffchainRow, Flag, Text> => {
  const { encode, decode } = rowCodec(offchainColumns, forms);
  return {
    encode: (row) => [
      ...encode(row),
      documentQueueOf(row.uri),
      row.json === null ? null : contentParts(row.json),
    ],
    decode,
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
