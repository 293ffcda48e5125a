// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.
import type { Address, Asset, AssetAttribute, AssetContent, AssetFile, AssetInterface, AssetLinks, AssetMetadata, Authority, CollectionMetadata, Compression, ConditionType, Creator, Group, GroupingPair, NativeBalance, Ownership, OwnershipModel, PrintSupply, Royalty, RoyaltyModel, SearchAssetsResult, SortBy, SortDirection, SortKey, TokenInfo, Uses } from "@lamplight/contract";
export type { Address, Asset, AssetAttribute, AssetContent, AssetFile, AssetInterface, AssetLinks, AssetMetadata, Authority, CollectionMetadata, Compression, ConditionType, Creator, Group, GroupingPair, NativeBalance, Ownership, OwnershipModel, PrintSupply, Royalty, RoyaltyModel, SearchAssetsResult, SortBy, SortDirection, SortKey, TokenInfo, Uses } from "@lamplight/contract";

/**
 * Documents in the order of the ids; null where there is no asset.
 */
export type AssetOrNullList = (Asset | null)[];
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
  showFungible?: boolean;
  /**
   * Also lists groups that never confirmed the asset, with their `verified` flag. Default false.
   */
  showUnverifiedCollections?: boolean;
  /**
   * Adds `collection_metadata`, name and picture, to each collection. Default false.
   */
  showCollectionMetadata?: boolean;
  /**
   * Adds `inscription` where the asset has one. Default false.
   */
  showInscription?: boolean;
  /**
   * Changes nothing: it is an option of lists that other servers accept here too. Default false.
   */
  showZeroBalance?: boolean;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Default: any slot.
   */
  minContextSlot?: number | bigint;
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
export interface EditionPage {
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
  supply: number | bigint;
  /**
   * Prints that the master edition allows; null = unlimited.
   */
  max_supply: number | bigint | null;
  /**
   * The prints of this page.
   */
  editions: PrintedEdition[];
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
  showFungible?: boolean;
  /**
   * Also lists groups that never confirmed the asset, with their `verified` flag. Default false.
   */
  showUnverifiedCollections?: boolean;
  /**
   * Adds `collection_metadata`, name and picture, to each collection. Default false.
   */
  showCollectionMetadata?: boolean;
  /**
   * Adds `inscription` where the asset has one. Default false.
   */
  showInscription?: boolean;
  /**
   * Counts emptied token accounts of the owner as matches too. Default false.
   */
  showZeroBalance?: boolean;
  /**
   * Adds `grand_total`, which equals `total`. Default false.
   */
  showGrandTotal?: boolean;
  /**
   * Adds `nativeBalance`; needs ownerAddress. Default false.
   */
  showNativeBalance?: boolean;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Default: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * One printed edition.
 */
export interface PrintedEdition {
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
  edition_number: number | bigint;
  /**
   * The same as `mint_address`.
   */
  mint: Address;
  /**
   * The same as `edition_number`.
   */
  edition: number | bigint;
}
/**
 * A token account.
 */
export interface TokenAccount {
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
  amount: number | bigint;
  /**
   * Raw units that the delegate may move; 0 without a delegate.
   */
  delegated_amount: number | bigint;
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
  showZeroBalance?: boolean;
  /**
   * Changes nothing: token accounts have no such members. Default false.
   */
  showFungible?: boolean;
  /**
   * Changes nothing: token accounts have no such members. Default false.
   */
  showUnverifiedCollections?: boolean;
  /**
   * Changes nothing: token accounts have no such members. Default false.
   */
  showCollectionMetadata?: boolean;
  /**
   * Changes nothing: token accounts have no such members. Default false.
   */
  showInscription?: boolean;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Default: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Order of the token accounts of a mint. The default direction is `asc` by address and `desc` by amount.
 */
export interface TokenAccountOrder {
  /**
   * `id`: by the address of the token account. `amount`: by raw amount, and equal ones by address in the same direction. Default `id`.
   */
  sortBy?: "id" | "amount";
  /**
   * asc: ascending. desc: descending.
   */
  sortDirection?: SortDirection;
}
/**
 * One page of token accounts.
 */
export interface TokenAccountPage {
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
  token_accounts: TokenAccount[];
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
  id: Address;
  /**
   * Additional members of the document. Null: none.
   */
  options?: AssetOptions;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of getAssets by name.
 */
export interface GetAssetsParams {
  /**
   * Ids of the assets, at most 1000; each as in getAsset.
   */
  ids: Address[];
  /**
   * Additional members of the document. Null: none.
   */
  options?: AssetOptions;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of getAssetBatch by name.
 */
export interface GetAssetBatchParams {
  /**
   * Ids of the assets, at most 1000; each as in getAsset.
   */
  ids: Address[];
  /**
   * Additional members of the document. Null: none.
   */
  options?: AssetOptions;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of getAssetProof by name.
 */
export interface GetAssetProofParams {
  /**
   * Id of a compressed asset.
   */
  id: Address;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of getAssetProofs by name.
 */
export interface GetAssetProofsParams {
  /**
   * Ids of compressed assets, at most 100.
   */
  ids: Address[];
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of getAssetProofBatch by name.
 */
export interface GetAssetProofBatchParams {
  /**
   * Ids of compressed assets, at most 100.
   */
  ids: Address[];
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of getAssetsByOwner by name.
 */
export interface GetAssetsByOwnerParams {
  /**
   * Wallet that owns the assets.
   */
  ownerAddress: Address;
  /**
   * Order of the answer. Null: by id, descending.
   */
  sortBy?: SortBy;
  /**
   * Assets of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number;
  /**
   * The page directly before the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  before?: Address;
  /**
   * The page that follows the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  after?: Address;
  /**
   * Additional members, and what is listed. Null: none.
   */
  options?: ListOptions;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of getAssetsByCreator by name.
 */
export interface GetAssetsByCreatorParams {
  /**
   * Creator that the assets list.
   */
  creatorAddress: Address;
  /**
   * True lists only assets that the creator has signed. Null: false.
   */
  onlyVerified?: boolean;
  /**
   * Order of the answer. Null: by id, descending.
   */
  sortBy?: SortBy;
  /**
   * Assets of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number;
  /**
   * The page directly before the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  before?: Address;
  /**
   * The page that follows the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  after?: Address;
  /**
   * Additional members, and what is listed. Null: none.
   */
  options?: ListOptions;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of getAssetsByAuthority by name.
 */
export interface GetAssetsByAuthorityParams {
  /**
   * The update authority. Of a compressed asset it is the config account of its tree.
   */
  authorityAddress: Address;
  /**
   * Order of the answer. Null: by id, descending.
   */
  sortBy?: SortBy;
  /**
   * Assets of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number;
  /**
   * The page directly before the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  before?: Address;
  /**
   * The page that follows the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  after?: Address;
  /**
   * Additional members, and what is listed. Null: none.
   */
  options?: ListOptions;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
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
  groupValue: Address;
  /**
   * Order of the answer. Null: by id, descending.
   */
  sortBy?: SortBy;
  /**
   * Assets of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number;
  /**
   * The page directly before the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  before?: Address;
  /**
   * The page that follows the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  after?: Address;
  /**
   * Additional members, and what is listed. Null: none.
   */
  options?: ListOptions;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
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
  groupValue: Address;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of searchAssets by name.
 */
export interface SearchAssetsParams {
  /**
   * True inverts the group of criteria as a whole: what does not match it. Null: false.
   */
  negate?: boolean;
  /**
   * Whether an asset must match all criteria or any of them. Null: all.
   */
  conditionType?: ConditionType;
  /**
   * Kind of the asset. Null: every kind that is not hidden.
   */
  interface?: AssetInterface;
  /**
   * Wallet that owns the asset, or holds a positive amount of it. Null: any owner.
   */
  ownerAddress?: Address;
  /**
   * With `ownerAddress`: only what it owns alone (single), or as one of many holders (token). Without it: the ownership model. Null: single, unless fungible tokens are shown.
   */
  ownerType?: OwnershipModel;
  /**
   * A creator that the asset lists, verified or not. Null: any.
   */
  creatorAddress?: Address;
  /**
   * Whether that creator has signed; without `creatorAddress`, whether any creator has. Null: both.
   */
  creatorVerified?: boolean;
  /**
   * The update authority of the asset. Null: any.
   */
  authorityAddress?: Address;
  /**
   * A pair of key and value. The key is `collection`, or `group` for a group of MPL Core; the value is its address. Only verified members match, unless `options.showUnverifiedCollections`. Null: any group or none.
   */
  grouping?: GroupingPair;
  /**
   * The approved delegate of the asset. Null: any or none.
   */
  delegate?: Address;
  /**
   * Whether the asset is frozen, so that its owner cannot move it. Null: both.
   */
  frozen?: boolean;
  /**
   * Raw units.
   */
  supply?: number | bigint;
  /**
   * Address of the token mint behind the asset. Null: any.
   */
  supplyMint?: Address;
  /**
   * Whether the asset is a leaf of a Merkle tree. Null: both.
   */
  compressed?: boolean;
  /**
   * Whether the asset could be compressed. Null: both.
   */
  compressible?: boolean;
  /**
   * Royalty model. Null: any.
   */
  royaltyTargetType?: RoyaltyModel;
  /**
   * A creator with a share above 0. Null: any.
   */
  royaltyTarget?: Address;
  /**
   * Basis points.
   */
  royaltyAmount?: number | bigint;
  /**
   * Whether the asset is burnt. Null: both.
   */
  burnt?: boolean;
  /**
   * Order of the answer. Null: by id, descending.
   */
  sortBy?: SortBy;
  /**
   * Assets of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number;
  /**
   * The page directly before the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  before?: Address;
  /**
   * The page that follows the asset with this id, which is not listed. Null: not used, as an empty text.
   */
  after?: Address;
  /**
   * Exact URI of the off-chain JSON. Null: any.
   */
  jsonUri?: string;
  /**
   * Additional members, and what is listed. Null: none.
   */
  options?: ListOptions;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string;
  /**
   * Part of the name, in any letter case; needs `ownerAddress`. Null: any name.
   */
  name?: string;
  /**
   * fungible, nonFungible, regularNft, compressedNft or all; any letter case. Null: nonFungible, unless fungible tokens are shown.
   */
  tokenType?: string;
  /**
   * Address of the Merkle tree of compressed assets. Null: any or none.
   */
  tree?: Address;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of getTokenAccounts by name.
 */
export interface GetTokenAccountsParams {
  /**
   * Wallet that owns the tokens. Null: every wallet, where `mintAddress` is given.
   */
  ownerAddress?: Address;
  /**
   * Only token accounts of this mint. Null: of every mint.
   */
  mintAddress?: Address;
  /**
   * Token accounts of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number;
  /**
   * The page directly before the token account at this address, which is not listed. By amount, it must be a token account of the mint. Null: not used.
   */
  before?: Address;
  /**
   * The page that follows the token account at this address, which is not listed. By amount, it must be a token account of the mint. Null: not used.
   */
  after?: Address;
  /**
   * What is listed. Null: none.
   */
  options?: TokenAccountOptions;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string;
  /**
   * Order of the token accounts of a mint; refused with `ownerAddress`. Null: ascending by address.
   */
  sortBy?: TokenAccountOrder;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of getNftEditions by name.
 */
export interface GetNftEditionsParams {
  /**
   * Mint of the master edition, or of one of its prints.
   */
  mintAddress: Address;
  /**
   * Rows of the answer, 1 to 1000. Null: 1000.
   */
  limit?: number;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number;
  /**
   * The page directly before this edition number, mint or edition address, which is not listed. Null: not used.
   */
  before?: string;
  /**
   * The page that follows this edition number, mint or edition address, which is not listed. Null: not used.
   */
  after?: string;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint;
}
/** Returns the document of one asset. */
export type GetAssetResult = Asset;
/** Returns the documents of several assets. */
export type GetAssetsResult = AssetOrNullList;
/** Returns the documents of several assets. */
export type GetAssetBatchResult = AssetOrNullList;
/** Returns the merkle proof of a compressed asset. */
export type GetAssetProofResult = AssetProof;
/** Returns the merkle proofs of several compressed assets. */
export type GetAssetProofsResult = AssetProofs;
/** Returns the merkle proofs of several compressed assets. */
export type GetAssetProofBatchResult = AssetProofs;
/** Lists the assets of a wallet. */
export type GetAssetsByOwnerResult = SearchAssetsResult;
/** Lists the assets that name a creator. */
export type GetAssetsByCreatorResult = SearchAssetsResult;
/** Lists the assets of an update authority. */
export type GetAssetsByAuthorityResult = SearchAssetsResult;
/** Lists the assets of a group. */
export type GetAssetsByGroupResult = SearchAssetsResult;
/** Returns name and size of a group. */
export type GetGroupingResult = Grouping;
/** Lists the token accounts of a wallet, or the holders of a token. */
export type GetTokenAccountsResult = TokenAccountPage;
/** Lists the printed editions of a master edition NFT. */
export type GetNftEditionsResult = EditionPage;

/** Every method by its wire name. */
export interface MethodTypes {
  /** Returns the document of one asset. */
  getAsset: { params: GetAssetParams; result: GetAssetResult };
  /** Returns the documents of several assets. */
  getAssets: { params: GetAssetsParams; result: GetAssetsResult };
  /** Returns the documents of several assets. */
  getAssetBatch: { params: GetAssetBatchParams; result: GetAssetBatchResult };
  /** Returns the merkle proof of a compressed asset. */
  getAssetProof: { params: GetAssetProofParams; result: GetAssetProofResult };
  /** Returns the merkle proofs of several compressed assets. */
  getAssetProofs: { params: GetAssetProofsParams; result: GetAssetProofsResult };
  /** Returns the merkle proofs of several compressed assets. */
  getAssetProofBatch: { params: GetAssetProofBatchParams; result: GetAssetProofBatchResult };
  /** Lists the assets of a wallet. */
  getAssetsByOwner: { params: GetAssetsByOwnerParams; result: GetAssetsByOwnerResult };
  /** Lists the assets that name a creator. */
  getAssetsByCreator: { params: GetAssetsByCreatorParams; result: GetAssetsByCreatorResult };
  /** Lists the assets of an update authority. */
  getAssetsByAuthority: { params: GetAssetsByAuthorityParams; result: GetAssetsByAuthorityResult };
  /** Lists the assets of a group. */
  getAssetsByGroup: { params: GetAssetsByGroupParams; result: GetAssetsByGroupResult };
  /** Returns name and size of a group. */
  getGrouping: { params: GetGroupingParams; result: GetGroupingResult };
  /** Lists the assets that match search criteria. */
  searchAssets: { params: SearchAssetsParams; result: SearchAssetsResult };
  /** Lists the token accounts of a wallet, or the holders of a token. */
  getTokenAccounts: { params: GetTokenAccountsParams; result: GetTokenAccountsResult };
  /** Lists the printed editions of a master edition NFT. */
  getNftEditions: { params: GetNftEditionsParams; result: GetNftEditionsResult };
}

/** Wire name of a method. */
export type MethodName = keyof MethodTypes;
