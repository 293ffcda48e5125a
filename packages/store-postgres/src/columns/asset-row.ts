import {
  type Asset,
  type AssetFacts,
  assetRowColumns,
  type Column,
  type ColumnForms,
  type ColumnType,
  type Creator,
  decodeAssetRow,
  encodeAssetRow,
  type Group,
} from "@lamplight/core";
import type { Element, ElementType } from "../engine/array-parameter.ts";
import type { Row } from "../engine/session.ts";
import { textFromColumn, textToColumn } from "./text-column.ts";

export const columnForms: ColumnForms<boolean, Uint8Array> = {
  flagTo: (flag) => flag,
  flagFrom: (column) => column as boolean,
  textTo: textToColumn,
  textFrom: textFromColumn,
};

/** The type of each kind of column. */
export const columnTypes: { readonly [Type in ColumnType]: ElementType } = {
  int16: "smallint",
  int32: "integer",
  int64: "bigint",
  flag: "boolean",
  bytes: "bytea",
  text: "bytea",
  plainText: "text",
};

/** Columns as statements name them. */
export const columnsOf = (
  columns: readonly Pick<Column<unknown>, "name" | "type">[],
): readonly (readonly [name: string, type: ElementType])[] =>
  columns.map(({ name, type }) => [name, columnTypes[type]]);

/** Columns of `asset` after `id`, `ord` and `change_seq`. */
export const assetColumns = columnsOf(assetRowColumns);

export const assetColumnNames: string = assetRowColumns.map(({ name }) => name).join(", ");

/** Values in the order of `assetColumns`. */
export const assetValues = (asset: Asset): Element[] => encodeAssetRow(asset, columnForms);

/** The facts of one asset, from a row that has `assetColumns` from column `at` on. */
export const decodeAssetFacts = (
  id: Uint8Array,
  row: Row,
  at: number,
  creators: readonly Creator[],
  groups: readonly Group[],
): AssetFacts => decodeAssetRow(id, row, at, columnForms, { creators, groups });
