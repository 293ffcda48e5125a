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
import type { Element, ElementType } from "../engine/array-parameter.ts";
import type { Row } from "../engine/session.ts";
import { textFromColumn, textToColumn } from "./text-column.ts";

export const columnForms: ColumnForms<boolean, Uint8Array> = {
  flagTo: (flag) => flag,
  flagFrom: (column) => column as boolean,
  textTo: textToColumn,
  textFrom: textFromColumn,
};

const types: { readonly [column in (typeof assetRowColumns)[number]]: ElementType } = {
  interface: "smallint",
  owner_model: "smallint",
  owner: "bytea",
  delegate: "bytea",
  authority: "bytea",
  supply: "bigint",
  supply_mint: "bytea",
  royalty_model: "smallint",
  basis_points: "integer",
  compressed: "boolean",
  compressible: "boolean",
  frozen: "boolean",
  burnt: "boolean",
  mutable: "boolean",
  name: "bytea",
  folded_name: "bytea",
  json_uri: "bytea",
  json_uri_hash: "bigint",
  tree: "bytea",
  leaf_index: "bigint",
  created_slot: "bigint",
  updated_slot: "bigint",
  inherits_from: "bytea",
  inherits: "smallint",
};

/** Columns of `asset` after `id`, `ord` and `change_seq`. */
export const assetColumns: readonly (readonly [name: string, type: ElementType])[] = assetRowColumns.map(
  (name) => [name, types[name]],
);

export const assetColumnNames: string = assetRowColumns.join(", ");

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
