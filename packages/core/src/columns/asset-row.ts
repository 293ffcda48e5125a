import { hash } from "node:crypto";
import {
  type Asset,
  type AssetFacts,
  type AssetInterface,
  assetInterfaces,
  type OwnerModel,
  type RoyaltyModel,
} from "../domain/asset.ts";
import { u64FromColumn, u64ToColumn } from "./u64-column.ts";

// Both stores keep the facts of an asset in this form. Words are kept as numbers: their places in these lists, to which
// new words are only appended.
const ownerModels: readonly OwnerModel[] = ["single", "token"];
const royaltyModels: readonly RoyaltyModel[] = ["creators", "fanout", "single"];

export const interfaceNumber = (word: AssetInterface): number => assetInterfaces.indexOf(word);
export const ownerModelNumber = (word: OwnerModel): number => ownerModels.indexOf(word);
export const royaltyModelNumber = (word: RoyaltyModel): number => royaltyModels.indexOf(word);
export const interfaceOfNumber = (number: number): AssetInterface =>
  assetInterfaces[number] as AssetInterface;
export const ownerModelOfNumber = (number: number): OwnerModel => ownerModels[number] as OwnerModel;
export const royaltyModelOfNumber = (number: number): RoyaltyModel => royaltyModels[number] as RoyaltyModel;

/** Names are searched without regard to case; both sides of a comparison go through this. */
export const foldName = (name: string): string => name.toLowerCase();

/** Kept only where it differs from the name. */
const foldedColumn = (name: string): string | null => {
  const folded = foldName(name);
  return folded === name ? null : folded;
};

/** The number by which stores find a URI; they compare the text, too. */
export const jsonUriHash = (jsonUri: string): bigint => hash("sha256", jsonUri, "buffer").readBigInt64BE(0);

/** Columns of `asset` after its keys. */
export const assetRowColumns = [
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
] as const;

/** The forms in which a store keeps booleans and text. */
export interface ColumnForms<Flag, Text> {
  readonly flagTo: (flag: boolean) => Flag;
  readonly flagFrom: (column: unknown) => boolean;
  readonly textTo: (text: string) => Text;
  readonly textFrom: (column: unknown) => string;
}

/** The columns of an asset, in the order of `assetRowColumns`. */
export const encodeAssetRow = <Flag, Text>(
  asset: Asset,
  { flagTo, textTo }: ColumnForms<Flag, Text>,
): (Flag | Text | Uint8Array | number | bigint | null)[] => {
  const folded = foldedColumn(asset.name);
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
    flagTo(asset.compressed),
    flagTo(asset.compressible),
    flagTo(asset.frozen),
    flagTo(asset.burnt),
    flagTo(asset.mutable),
    textTo(asset.name),
    folded === null ? null : textTo(folded),
    textTo(asset.jsonUri),
    jsonUriHash(asset.jsonUri),
    asset.tree,
    asset.leafIndex,
    asset.createdSlot,
    asset.updatedSlot,
    asset.inherits?.from ?? null,
    asset.inherits?.facts ?? 0,
  ];
};

/** The facts of one asset, from a row that has `assetRowColumns` from column `at` on. */
export const decodeAssetRow = <Flag, Text>(
  id: Uint8Array,
  row: readonly unknown[],
  at: number,
  { flagFrom, textFrom }: ColumnForms<Flag, Text>,
  lists: Pick<AssetFacts, "creators" | "groups">,
): AssetFacts => {
  const bytes = (column: number): Uint8Array | null => row[at + column] as Uint8Array | null;
  const number = (column: number): number => Number(row[at + column]);
  return {
    id,
    interface: interfaceOfNumber(number(0)),
    ownerModel: ownerModelOfNumber(number(1)),
    assetOwner: bytes(2),
    delegate: bytes(3),
    authority: bytes(4),
    supply: row[at + 5] === null ? null : u64FromColumn(row[at + 5] as bigint),
    supplyMint: bytes(6),
    royaltyModel: royaltyModelOfNumber(number(7)),
    basisPoints: number(8),
    creators: lists.creators,
    groups: lists.groups,
    inherits: row[at + 22] === null ? null : { from: bytes(22)!, facts: number(23) },
    compressed: flagFrom(row[at + 9]),
    compressible: flagFrom(row[at + 10]),
    frozen: flagFrom(row[at + 11]),
    burnt: flagFrom(row[at + 12]),
    mutable: flagFrom(row[at + 13]),
    name: textFrom(row[at + 14]),
    jsonUri: textFrom(row[at + 16]),
    tree: bytes(18),
    leafIndex: row[at + 19] === null ? null : number(19),
    createdSlot: number(20),
    updatedSlot: number(21),
  };
};

/** The problems of the columns that follow from the name and the URI. */
export const assetRowProblems = (
  name: string,
  folded: string | null,
  jsonUri: string,
  uriHash: unknown,
): string[] => [
  ...(folded === foldedColumn(name) ? [] : ["name is searched under another one"]),
  ...(uriHash === jsonUriHash(jsonUri) ? [] : ["URI is found by another one"]),
];
