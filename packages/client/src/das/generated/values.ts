// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type { AddressLike, Amount, IntegerMode, Uint64 } from "../../types/values.ts";
import type { Address, Asset, AssetInterface, ConditionType, GroupingPair, OwnershipModel, RoyaltyModel, SortBy, SortDirection } from "../../generated/types.ts";

/**
 * Documents in the order of the ids; null where there is no asset.
 */
export type AssetOrNullList<I extends IntegerMode = "amounts"> = (Asset<I> | null)[];
/**
 * collection: a collection. group: a group of MPL Core.
 */
export type GroupKey = "collection" | "group";

/**
 * Additional members of an asset document.
 */
export interface AssetOptions {
  /**
   * Adds `token_info`: supply, decimals and authorities of the mint. Default false.
   */
  showFungible?: boolean | undefined;
  /**
   * Also lists groups that never confirmed the asset, with their `verified` flag. Default false.
   */
  showUnverifiedCollections?: boolean | undefined;
  /**
   * Adds `collection_metadata`, name and picture, to each collection. Default false.
   */
  showCollectionMetadata?: boolean | undefined;
  /**
   * Adds `inscription` where the asset has one. Default false.
   */
  showInscription?: boolean | undefined;
  /**
   * Changes nothing: it is an option of lists that other servers accept here too. Default false.
   */
  showZeroBalance?: boolean | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Default: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * The nodes that prove a leaf of a tree, each as base58 text of 32 bytes.
 */
export interface AssetProof {
  /**
   * Root of the tree, as its account has it.
   */
  root: Address;
  /**
   * The node next to the path on each level, from the leaf to the root. Those that the account's canopy has are included.
   */
  proof: Address[];
  /**
   * Number of the leaf among all nodes of the tree: 2 to the power of the depth, plus the number of the leaf.
   */
  node_index: number;
  /**
   * Hash of the leaf.
   */
  leaf: Address;
  /**
   * Account of the tree.
   */
  tree_id: Address;
}
/**
 * Proofs by the ids of their assets; null where an id has no leaf.
 */
export interface AssetProofs {
  [k: string]: AssetProof | null;
}
/**
 * Printed editions, ascending by number.
 */
export interface EditionPage<I extends IntegerMode = "amounts"> {
  /**
   * Exact number of prints that are known here, on all pages.
   */
  total: number;
  /**
   * Largest number of prints on this page.
   */
  limit: number;
  /**
   * Number of this page; absent where the request used cursor, before or after.
   */
  page?: number;
  /**
   * Start of the next page, in every answer that has one.
   */
  cursor?: string;
  /**
   * Address of the master edition account.
   */
  master_edition_address: Address;
  /**
   * Prints that the master edition has made, burnt ones included.
   */
  supply: Uint64<I>;
  /**
   * Prints that the master edition allows; null = unlimited.
   */
  max_supply: Uint64<I> | null;
  /**
   * The prints of this page.
   */
  editions: PrintedEdition<I>[];
}
/**
 * Name and size of a group.
 */
export interface Grouping {
  /**
   * Kind of the group, as it was asked for.
   */
  group_key: GroupKey;
  /**
   * Name of the group's own asset. Empty string: unknown.
   */
  group_name: string;
  /**
   * Exact number of verified members.
   */
  group_size: number;
}
/**
 * Additional members, and what is listed.
 */
export interface ListOptions {
  /**
   * Adds `token_info`, and lists fungible tokens; with ownerAddress also what the wallet holds. Default false.
   */
  showFungible?: boolean | undefined;
  /**
   * Also lists groups that never confirmed the asset, with their `verified` flag. Default false.
   */
  showUnverifiedCollections?: boolean | undefined;
  /**
   * Adds `collection_metadata`, name and picture, to each collection. Default false.
   */
  showCollectionMetadata?: boolean | undefined;
  /**
   * Adds `inscription` where the asset has one. Default false.
   */
  showInscription?: boolean | undefined;
  /**
   * Counts emptied token accounts of the owner as matches too. Default false.
   */
  showZeroBalance?: boolean | undefined;
  /**
   * Adds `grand_total`, which equals `total`. Default false.
   */
  showGrandTotal?: boolean | undefined;
  /**
   * Adds `nativeBalance`; needs ownerAddress. Default false.
   */
  showNativeBalance?: boolean | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Default: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * One printed edition.
 */
export interface PrintedEdition<I extends IntegerMode = "amounts"> {
  /**
   * Mint of the print.
   */
  mint_address: Address;
  /**
   * Address of the edition account of the print.
   */
  edition_address: Address;
  /**
   * Edition number, from 1 on.
   */
  edition_number: Uint64<I>;
  /**
   * The same as `mint_address`.
   */
  mint: Address;
  /**
   * The same as `edition_number`.
   */
  edition: Uint64<I>;
}
/**
 * A token account.
 */
export interface TokenAccount<I extends IntegerMode = "amounts"> {
  /**
   * Address of the token account.
   */
  address: Address;
  /**
   * Mint of the tokens.
   */
  mint: Address;
  /**
   * Wallet that owns the tokens.
   */
  owner: Address;
  /**
   * Tokens in raw units.
   */
  amount: Amount<I>;
  /**
   * Raw units that the delegate may move; 0 without a delegate.
   */
  delegated_amount: Amount<I>;
  /**
   * Whether the account is frozen.
   */
  frozen: boolean;
  /**
   * The approved delegate; null = none.
   */
  delegate: Address | null;
  /**
   * Who may close the account besides its owner; null = nobody.
   */
  close_authority: Address | null;
}
/**
 * What is listed.
 */
export interface TokenAccountOptions {
  /**
   * Also lists empty token accounts. Default false.
   */
  showZeroBalance?: boolean | undefined;
  /**
   * Changes nothing: token accounts have no such members. Default false.
   */
  showFungible?: boolean | undefined;
  /**
   * Changes nothing: token accounts have no such members. Default false.
   */
  showUnverifiedCollections?: boolean | undefined;
  /**
   * Changes nothing: token accounts have no such members. Default false.
   */
  showCollectionMetadata?: boolean | undefined;
  /**
   * Changes nothing: token accounts have no such members. Default false.
   */
  showInscription?: boolean | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Default: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Order of the token accounts of a mint. The default direction is `asc` by address and `desc` by amount.
 */
export interface TokenAccountOrder {
  /**
   * `id`: by the address of the token account. `amount`: by raw amount, and equal ones by address in the same direction. Default `id`.
   */
  sortBy?: "id" | "amount" | undefined;
  /**
   * asc: ascending. desc: descending.
   */
  sortDirection?: SortDirection | undefined;
}
/**
 * One page of token accounts.
 */
export interface TokenAccountPage<I extends IntegerMode = "amounts"> {
  /**
   * Exact number of token accounts on all pages.
   */
  total: number;
  /**
   * Largest number of token accounts on this page.
   */
  limit: number;
  /**
   * Number of this page; absent where the request used cursor, before or after.
   */
  page?: number;
  /**
   * Start of the next page, in every answer that has one.
   */
  cursor?: string;
  /**
   * The token accounts of this page, in the order asked.
   */
  token_accounts: TokenAccount<I>[];
  /**
   * Always empty: a page whose rows cannot be read is refused as a whole. Clients of other servers read this member.
   */
  errors: {}[];
}
/**
 * Parameters of getAsset by name.
 */
export interface GetAssetParams {
  /**
   * Id of the asset: the mint, the MPL Core account, or the id of a compressed asset.
   */
  id: AddressLike;
  /**
   * Additional members of the document. Null: none.
   */
  options?: AssetOptions | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getAssets by name.
 */
export interface GetAssetsParams {
  /**
   * Ids of the assets, at most 1000; each as in getAsset.
   */
  ids: AddressLike[];
  /**
   * Additional members of the document. Null: none.
   */
  options?: AssetOptions | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getAssetBatch by name.
 */
export interface GetAssetBatchParams {
  /**
   * Ids of the assets, at most 1000; each as in getAsset.
   */
  ids: AddressLike[];
  /**
   * Additional members of the document. Null: none.
   */
  options?: AssetOptions | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getAssetProof by name.
 */
export interface GetAssetProofParams {
  /**
   * Id of a compressed asset.
   */
  id: AddressLike;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getAssetProofs by name.
 */
export interface GetAssetProofsParams {
  /**
   * Ids of compressed assets, at most 100.
   */
  ids: AddressLike[];
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getAssetProofBatch by name.
 */
export interface GetAssetProofBatchParams {
  /**
   * Ids of compressed assets, at most 100.
   */
  ids: AddressLike[];
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getAssetsByOwner by name.
 */
export interface GetAssetsByOwnerParams {
  /**
   * Wallet that owns the assets.
   */
  ownerAddress: AddressLike;
  /**
   * Order of the answer. Null: by id, descending.
   */
  sortBy?: SortBy | undefined;
  /**
   * Assets of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number | undefined;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number | undefined;
  /**
   * The page directly before the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  before?: AddressLike | undefined;
  /**
   * The page that follows the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  after?: AddressLike | undefined;
  /**
   * Additional members, and what is listed. Null: none.
   */
  options?: ListOptions | undefined;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getAssetsByCreator by name.
 */
export interface GetAssetsByCreatorParams {
  /**
   * Creator that the assets list.
   */
  creatorAddress: AddressLike;
  /**
   * True lists only assets that the creator has signed. Null: false.
   */
  onlyVerified?: boolean | undefined;
  /**
   * Order of the answer. Null: by id, descending.
   */
  sortBy?: SortBy | undefined;
  /**
   * Assets of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number | undefined;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number | undefined;
  /**
   * The page directly before the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  before?: AddressLike | undefined;
  /**
   * The page that follows the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  after?: AddressLike | undefined;
  /**
   * Additional members, and what is listed. Null: none.
   */
  options?: ListOptions | undefined;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getAssetsByAuthority by name.
 */
export interface GetAssetsByAuthorityParams {
  /**
   * The update authority. Of a compressed asset it is the config account of its tree.
   */
  authorityAddress: AddressLike;
  /**
   * Order of the answer. Null: by id, descending.
   */
  sortBy?: SortBy | undefined;
  /**
   * Assets of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number | undefined;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number | undefined;
  /**
   * The page directly before the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  before?: AddressLike | undefined;
  /**
   * The page that follows the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  after?: AddressLike | undefined;
  /**
   * Additional members, and what is listed. Null: none.
   */
  options?: ListOptions | undefined;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getAssetsByGroup by name.
 */
export interface GetAssetsByGroupParams {
  /**
   * Kind of the group.
   */
  groupKey: GroupKey;
  /**
   * Address of the group.
   */
  groupValue: AddressLike;
  /**
   * Order of the answer. Null: by id, descending.
   */
  sortBy?: SortBy | undefined;
  /**
   * Assets of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number | undefined;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number | undefined;
  /**
   * The page directly before the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  before?: AddressLike | undefined;
  /**
   * The page that follows the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  after?: AddressLike | undefined;
  /**
   * Additional members, and what is listed. Null: none.
   */
  options?: ListOptions | undefined;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getGrouping by name.
 */
export interface GetGroupingParams {
  /**
   * Kind of the group.
   */
  groupKey: GroupKey;
  /**
   * Address of the group.
   */
  groupValue: AddressLike;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of searchAssets by name.
 */
export interface SearchAssetsParams {
  /**
   * True inverts the group of criteria as a whole: what does not match it. Null: false.
   */
  negate?: boolean | undefined;
  /**
   * Whether an asset must match all criteria or any of them. Null: all.
   */
  conditionType?: ConditionType | undefined;
  /**
   * Kind of the asset. Null: every kind that is not hidden.
   */
  interface?: AssetInterface | undefined;
  /**
   * Wallet that owns the asset, or holds a positive amount of it. Null: any owner.
   */
  ownerAddress?: AddressLike | undefined;
  /**
   * With `ownerAddress`: only what it owns alone (single), or as one of many holders (token). Without it: the ownership model. Null: single, unless fungible tokens are shown.
   */
  ownerType?: OwnershipModel | undefined;
  /**
   * A creator that the asset lists, verified or not. Null: any.
   */
  creatorAddress?: AddressLike | undefined;
  /**
   * Whether that creator has signed; without `creatorAddress`, whether any creator has. Null: both.
   */
  creatorVerified?: boolean | undefined;
  /**
   * The update authority of the asset. Null: any.
   */
  authorityAddress?: AddressLike | undefined;
  /**
   * A pair of key and value. The key is `collection`, or `group` for a group of MPL Core; the value is its address. Only verified members match, unless `options.showUnverifiedCollections`. Null: any group or none.
   */
  grouping?: GroupingPair | undefined;
  /**
   * The approved delegate of the asset. Null: any or none.
   */
  delegate?: AddressLike | undefined;
  /**
   * Whether the asset is frozen, so that its owner cannot move it. Null: both.
   */
  frozen?: boolean | undefined;
  /**
   * Raw units.
   */
  supply?: number | bigint | undefined;
  /**
   * Address of the token mint behind the asset. Null: any.
   */
  supplyMint?: AddressLike | undefined;
  /**
   * Whether the asset is a leaf of a Merkle tree. Null: both.
   */
  compressed?: boolean | undefined;
  /**
   * Whether the asset could be compressed. Null: both.
   */
  compressible?: boolean | undefined;
  /**
   * Royalty model. Null: any.
   */
  royaltyTargetType?: RoyaltyModel | undefined;
  /**
   * A creator with a share above 0. Null: any.
   */
  royaltyTarget?: AddressLike | undefined;
  /**
   * Basis points.
   */
  royaltyAmount?: number | bigint | undefined;
  /**
   * Whether the asset is burnt. Null: both.
   */
  burnt?: boolean | undefined;
  /**
   * Order of the answer. Null: by id, descending.
   */
  sortBy?: SortBy | undefined;
  /**
   * Assets of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number | undefined;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number | undefined;
  /**
   * The page directly before the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  before?: AddressLike | undefined;
  /**
   * The page that follows the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  after?: AddressLike | undefined;
  /**
   * Exact URI of the off-chain JSON. Null: any.
   */
  jsonUri?: string | undefined;
  /**
   * Additional members, and what is listed. Null: none.
   */
  options?: ListOptions | undefined;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string | undefined;
  /**
   * Part of the name, in any letter case; needs `ownerAddress`. Null: any name.
   */
  name?: string | undefined;
  /**
   * fungible, nonFungible, regularNft, compressedNft or all; any letter case. Null: nonFungible, unless fungible tokens are shown.
   */
  tokenType?: string | undefined;
  /**
   * Address of the Merkle tree of compressed assets. Null: any or none.
   */
  tree?: AddressLike | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getTokenAccounts by name.
 */
export interface GetTokenAccountsParams {
  /**
   * Wallet that owns the tokens. Null: every wallet, where `mintAddress` is given.
   */
  ownerAddress?: AddressLike | undefined;
  /**
   * Only token accounts of this mint. Null: of every mint.
   */
  mintAddress?: AddressLike | undefined;
  /**
   * Token accounts of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number | undefined;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number | undefined;
  /**
   * The page directly before the token account at this address, which is not listed. By amount, it must be a token account of the mint. Null: not used.
   */
  before?: AddressLike | undefined;
  /**
   * The page that follows the token account at this address, which is not listed. By amount, it must be a token account of the mint. Null: not used.
   */
  after?: AddressLike | undefined;
  /**
   * What is listed. Null: none.
   */
  options?: TokenAccountOptions | undefined;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string | undefined;
  /**
   * Order of the token accounts of a mint; refused with `ownerAddress`. Null: ascending by address.
   */
  sortBy?: TokenAccountOrder | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getNftEditions by name.
 */
export interface GetNftEditionsParams {
  /**
   * Mint of the master edition, or of one of its prints.
   */
  mintAddress: AddressLike;
  /**
   * Rows of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number | undefined;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number | undefined;
  /**
   * The page directly before this edition number, mint or edition address, which is not listed. Null: not used.
   */
  before?: string | undefined;
  /**
   * The page that follows this edition number, mint or edition address, which is not listed. Null: not used.
   */
  after?: string | undefined;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}