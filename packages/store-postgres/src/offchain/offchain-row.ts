import {
  decodeOffchainRow as decodeRow,
  encodeOffchainRow,
  type OffchainRow,
  offchainRowColumns,
} from "@lamplight/core";
import { createHash } from "node:crypto";
import { columnForms } from "../columns/asset-row.ts";
import type { Element, ElementType } from "../engine/array-parameter.ts";
import type { Row } from "../engine/session.ts";

/** Hash by which a URI is found, because it may be longer than an index takes. */
export const uriKey = (uri: string): Uint8Array => createHash("sha256").update(uri).digest();

const types: { readonly [column in (typeof offchainRowColumns)[number]]: ElementType } = {
  uri: "bytea",
  status: "smallint",
  json: "text",
  sha256: "bytea",
  etag: "text",
  last_modified: "text",
  immutable: "boolean",
  first_seen_ms: "bigint",
  fetched_ms: "bigint",
  due_ms: "bigint",
  attempts: "integer",
  last_error: "text",
  queue: "text",
  content: "text",
};

export const offchainColumns: readonly (readonly [name: string, type: ElementType])[] = [
  ["uri_key", "bytea"],
  ...offchainRowColumns.map((name) => [name, types[name]] as const),
];

/** Values in the order of `offchainColumns`. */
export const offchainValues = (row: OffchainRow): Element[] => [
  uriKey(row.uri),
  ...encodeOffchainRow(row, columnForms),
];

export const decodeOffchainRow = (row: Row): OffchainRow => decodeRow(row, 1, columnForms);
