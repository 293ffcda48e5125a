import { offchainCodec, type OffchainRow, offchainRowColumns } from "@lamplight/core";
import { createHash } from "node:crypto";
import { columnForms, columnsOf } from "../columns/asset-row.ts";
import type { Element, ElementType } from "../engine/array-parameter.ts";
import type { Row } from "../engine/session.ts";

/** Hash by which a URI is found, because it may be longer than an index takes. */
export const uriKey = (uri: string): Uint8Array => createHash("sha256").update(uri).digest();

export const offchainColumns: readonly (readonly [name: string, type: ElementType])[] = [
  ["uri_key", "bytea"],
  ...columnsOf(offchainRowColumns),
];

const codec = offchainCodec(columnForms);

/** Values in the order of `offchainColumns`. */
export const offchainValues = (row: OffchainRow): Element[] => [uriKey(row.uri), ...codec.encode(row)];

export const decodeOffchainRow = (row: Row): OffchainRow => codec.decode(row.slice(1));
