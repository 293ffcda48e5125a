import {
  decodeOffchainRow as decodeRow,
  encodeOffchainRow,
  jsonUriHash,
  type OffchainRow,
  offchainRowColumns,
} from "@lamplight/core";
import type { SQLInputValue } from "node:sqlite";
import { columnForms } from "../columns/asset-row.ts";
import type { Row } from "../engine/connection.ts";

export const offchainColumns: readonly string[] = ["uri_hash", ...offchainRowColumns];

/** Values in the order of `offchainColumns`. */
export const offchainValues = (row: OffchainRow): SQLInputValue[] => [
  jsonUriHash(row.uri),
  ...encodeOffchainRow(row, columnForms),
];

export const decodeOffchainRow = (row: Row): OffchainRow => decodeRow(row, 1, columnForms);
