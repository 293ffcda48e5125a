import { createHash } from "node:crypto";
import {
  type Asset,
  type AssetFacts,
  type AssetInterface,
  assetInterfaces,
  type Creator,
  type Group,
  type OwnerModel,
  type RoyaltyModel,
  u64FromColumn,
  u64ToColumn,
} from "@lamplight/core";
import type { Element, ElementType } from "../engine/array-parameter.ts";
import type { Row } from "../engine/session.ts";
import { textFromColumn, textToColumn } from "./text-column.ts";

// Words are kept as numbers: their places in these lists, to which new words are only appended.
const ownerModels: readonly OwnerModel[] = ["single", "token"];
const royaltyModels: readonly RoyaltyModel[] = ["creators", "fanout", "single"];

export const interfaceNumber = (word: AssetInterface): number => assetInterfaces.indexOf(word);
export const ownerModelNumber = (word: OwnerModel): number => ownerModels.indexOf(word);
export const royaltyModelNumber = (word: RoyaltyModel): number => royaltyModels.indexOf(word);

/** Names are searched without regard to case; both sides of a comparison go through this. */
export const foldName = (name: string): string => name.toLowerCase();

/** What a URI is found by; the text itself decides. */
export const jsonUriHash = (jsonUri: string): bigint =>
  createHash("sha256").update(jsonUri).digest().readBigInt64BE(0);

/** Columns of `asset` after `id`, `ord` and `change_seq`, in the order of `assetValues` and `decodeAssetRow`. */
export const assetColumns: readonly (readonly [name: string, type: ElementType])[] = [
  ["interface", "smallint"],
  ["owner_model", "smallint"],
  ["owner", "bytea"],
  ["delegate", "bytea"],
  ["authority", "bytea"],
  ["supply", "bigint"],
  ["supply_mint", "bytea"],
  ["royalty_model", "smallint"],
  ["basis_points", "integer"],
  ["compressed", "boolean"],
  ["compressible", "boolean"],
  ["frozen", "boolean"],
  ["burnt", "boolean"],
  ["mutable", "boolean"],
  ["name", "bytea"],
  ["folded_name", "bytea"],
  ["json_uri", "bytea"],
  ["json_uri_hash", "bigint"],
  ["tree", "bytea"],
  ["leaf_index", "bigint"],
  ["created_slot", "bigint"],
  ["updated_slot", "bigint"],
  ["inherits_from", "bytea"],
  ["inherits", "smallint"],
];

export const assetColumnNames: string = assetColumns.map(([name]) => name).join(", ");

export const assetValues = (asset: Asset): Element[] => {
  const foldedName = foldName(asset.name);
  return [
    interfaceNumber(asset.interface),
    ownerModelNumber(asset.ownerModel),
    asset.assetOwner,
    asset.delegate,
    asset.authority,
    asset.supply === null ? null : u64ToColumn(asset.supply),
    asset.supplyMint,
    royaltyModelNumber(asset.royaltyModel),
    asset.basisPoints,
    asset.compressed,
    asset.compressible,
    asset.frozen,
    asset.burnt,
    asset.mutable,
    textToColumn(asset.name),
    // Kept only where it differs from the name.
    foldedName === asset.name ? null : textToColumn(foldedName),
    textToColumn(asset.jsonUri),
    jsonUriHash(asset.jsonUri),
    asset.tree,
    asset.leafIndex,
    asset.createdSlot,
    asset.updatedSlot,
    asset.inherits?.from ?? null,
    asset.inherits?.facts ?? 0,
  ];
};

/** The facts of one asset, from a row that has `assetColumns` from column `at` on. */
export const decodeAssetFacts = (
  id: Uint8Array,
  row: Row,
  at: number,
  creators: readonly Creator[],
  groups: readonly Group[],
): AssetFacts => {
  const bytes = (column: number): Uint8Array | null => row[at + column] as Uint8Array | null;
  const flag = (column: number): boolean => row[at + column] as boolean;
  return {
    id,
    interface: assetInterfaces[Number(row[at])] as AssetInterface,
    ownerModel: ownerModels[Number(row[at + 1])] as OwnerModel,
    assetOwner: bytes(2),
    delegate: bytes(3),
    authority: bytes(4),
    supply: row[at + 5] === null ? null : u64FromColumn(row[at + 5] as bigint),
    supplyMint: bytes(6),
    royaltyModel: royaltyModels[Number(row[at + 7])] as RoyaltyModel,
    basisPoints: Number(row[at + 8]),
    creators,
    groups,
    inherits: row[at + 22] === null ? null : { from: bytes(22)!, facts: Number(row[at + 23]) },
    compressed: flag(9),
    compressible: flag(10),
    frozen: flag(11),
    burnt: flag(12),
    mutable: flag(13),
    name: textFromColumn(row[at + 14]),
    jsonUri: textFromColumn(row[at + 16]),
    tree: bytes(18),
    leafIndex: row[at + 19] === null ? null : Number(row[at + 19]),
    createdSlot: Number(row[at + 20]),
    updatedSlot: Number(row[at + 21]),
  };
};
