import { offchainCodec, type OffchainRow, offchainRowColumns } from "@lamplight/core";
import { columnForms, columnsOf } from "../columns/asset-row.ts";
import { uriKey } from "../columns/keys.ts";
import type { Element, ElementType } from "../engine/array-parameter.ts";
import type { Row } from "../engine/session.ts";

export const offchainColumns: readonly (readonly [name: string, type: ElementType])[] = [
  ["uri_key", "bytea"],
  ...columnsOf(offchainRowColumns),
];

const codec = offchainCodec(columnForms);

/** Values in the order of `offchainColumns`. */
export const offchainValues = (row: OffchainRow): Element[] => [uriKey(row.uri), ...codec.encode(row)];

export const decodeOffchainRow = (row: Row): OffchainRow => codec.decode(row.slice(1));
