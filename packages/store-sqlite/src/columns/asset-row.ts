import {
  type Asset,
  type AssetFacts,
  assetRowColumns,
  type ColumnForms,
  type Creator,
  decodeAssetRow,
  encodeAssetRow,
  type Group,
} from "@lamplight/core";
import type { SQLInputValue } from "node:sqlite";
import type { Row } from "../engine/connection.ts";

export const columnForms: ColumnForms<number, string> = {
  flagTo: Number,
  flagFrom: (column) => column === 1n,
  textTo: (text) => text,
  textFrom: (column) => column as string,
};

/** Columns of `asset` after `ord` and `change_seq`. */
export const assetColumns: readonly string[] = ["id", ...assetRowColumns.map(({ name }) => name)];

/** Values in the order of `assetColumns`. */
export const assetValues = (asset: Asset): SQLInputValue[] => [
  asset.id,
  ...encodeAssetRow(asset, columnForms),
];

/** The facts in a row of `assetColumns` from column `at` on. */
export const decodeAssetFacts = (
  row: Row,
  at: number,
  creators: readonly Creator[],
  groups: readonly Group[],
): AssetFacts => decodeAssetRow(row[at] as Uint8Array, row, at + 1, columnForms, { creators, groups });
