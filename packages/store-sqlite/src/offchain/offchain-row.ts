import { jsonUriHash, offchainCodec, type OffchainRow, offchainRowColumns } from "@lamplight/core";
import type { SQLInputValue } from "node:sqlite";
import { columnForms } from "../columns/asset-row.ts";
import type { Row } from "../engine/connection.ts";

export const offchainColumns: readonly string[] = ["uri_hash", ...offchainRowColumns.map(({ name }) => name)];

const codec = offchainCodec(columnForms);

/** Values in the order of `offchainColumns`. */
export const offchainValues = (row: OffchainRow): SQLInputValue[] => [
  jsonUriHash(row.uri),
  ...codec.encode(row),
];

export const decodeOffchainRow = (row: Row): OffchainRow => codec.decode(row.slice(1));
