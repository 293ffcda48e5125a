import { hash } from "node:crypto";
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
import type { SQLInputValue } from "node:sqlite";
import type { Row } from "../engine/connection.ts";

// Words are kept as numbers: their places in these lists, to which new words are only appended.
const ownerModels: readonly OwnerModel[] = ["single", "token"];
const royaltyModels: readonly RoyaltyModel[] = ["creators", "fanout", "single"];

export const interfaceOfNumber = (number: number): AssetInterface =>
  assetInterfaces[number] as AssetInterface;
export const ownerModelOfNumber = (number: number): OwnerModel => ownerModels[number] as OwnerModel;
export const royaltyModelOfNumber = (number: number): RoyaltyModel => royaltyModels[number] as RoyaltyModel;
export const interfaceNumber = (word: AssetInterface): number => assetInterfaces.indexOf(word);
export const ownerModelNumber = (word: OwnerModel): number => ownerModels.indexOf(word);
export const royaltyModelNumber = (word: RoyaltyModel): number => royaltyModels.indexOf(word);

/** Names are searched without regard to case; both sides of a comparison go through this. */
export const foldName = (name: string): string => name.toLowerCase();

/** What a URI is found by; the text itself decides. */
export const jsonUriHash = (jsonUri: string): bigint => hash("sha256", jsonUri, "buffer").readBigInt64BE(0);

/** Columns of `asset` after `ord` and `change_seq`, in the order of `assetValues` and `decodeAssetRow`. */
export const assetColumns: readonly string[] = [
  "id",
  "interface",
  "owner_model",
  "owner",
  "delegate",
  "authority",
  "supply",
  "supply_mint",
  "royalty_model",
  "basis_points",
  "compressed",
  "compressible",
  "frozen",
  "burnt",
  "mutable",
  "name",
  "folded_name",
  "json_uri",
  "json_uri_hash",
  "tree",
  "leaf_index",
  "created_slot",
  "updated_slot",
  "inherits_from",
  "inherits",
];

export const assetValues = (asset: Asset): SQLInputValue[] => {
  const foldedName = foldName(asset.name);
  return [
    asset.id,
    interfaceNumber(asset.interface),
    ownerModelNumber(asset.ownerModel),
    asset.assetOwner,
    asset.delegate,
    asset.authority,
    asset.supply === null ? null : u64ToColumn(asset.supply),
    asset.supplyMint,
    royaltyModelNumber(asset.royaltyModel),
    asset.basisPoints,
    Number(asset.compressed),
    Number(asset.compressible),
    Number(asset.frozen),
    Number(asset.burnt),
    Number(asset.mutable),
    asset.name,
    // Kept only where it differs from the name.
    foldedName === asset.name ? null : foldedName,
    asset.jsonUri,
    jsonUriHash(asset.jsonUri),
    asset.tree,
    asset.leafIndex,
    asset.createdSlot,
    asset.updatedSlot,
    asset.inherits?.from ?? null,
    asset.inherits?.facts ?? 0,
  ];
};

/** The facts in a row of `assetColumns` from column `at` on. */
export const decodeAssetFacts = (
  row: Row,
  at: number,
  creators: readonly Creator[],
  groups: readonly Group[],
): AssetFacts => {
  const bytes = (column: number): Uint8Array | null => row[at + column] as Uint8Array | null;
  const flag = (column: number): boolean => row[at + column] === 1n;
  return {
    id: bytes(0) as Uint8Array,
    interface: assetInterfaces[Number(row[at + 1])] as AssetInterface,
    ownerModel: ownerModels[Number(row[at + 2])] as OwnerModel,
    assetOwner: bytes(3),
    delegate: bytes(4),
    authority: bytes(5),
    supply: row[at + 6] === null ? null : u64FromColumn(row[at + 6] as bigint),
    supplyMint: bytes(7),
    royaltyModel: royaltyModels[Number(row[at + 8])] as RoyaltyModel,
    basisPoints: Number(row[at + 9]),
    creators,
    groups,
    inherits: row[at + 23] === null ? null : { from: bytes(23)!, facts: Number(row[at + 24]) },
    compressed: flag(10),
    compressible: flag(11),
    frozen: flag(12),
    burnt: flag(13),
    mutable: flag(14),
    name: row[at + 15] as string,
    jsonUri: row[at + 17] as string,
    tree: bytes(19),
    leafIndex: row[at + 20] === null ? null : Number(row[at + 20]),
    createdSlot: Number(row[at + 21]),
    updatedSlot: Number(row[at + 22]),
  };
};
