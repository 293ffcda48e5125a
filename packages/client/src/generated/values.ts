// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type { AddressLike, Amount, IntegerMode, Uint64 } from "../types/values.ts";

/**
 * Base58 text of 32 bytes, 32 to 44 characters.
 */
export type Address = string;
/**
 * Kind of an asset. The MPL Core kinds are extensions. No asset has the kind MplBubblegumV2, V1_PRINT, LEGACY_NFT, V2_NFT, Identity or Executable.
 */
export type AssetInterface =
  | "V1_NFT"
  | "V1_PRINT"
  | "LEGACY_NFT"
  | "V2_NFT"
  | "FungibleAsset"
  | "FungibleToken"
  | "Custom"
  | "Identity"
  | "Executable"
  | "ProgrammableNFT"
  | "MplCoreAsset"
  | "MplCoreCollection"
  | "MplCoreGroup"
  | "MplBubblegumV2";
/**
 * Which bank to read: `finalized` (default) cannot be rolled back, `confirmed` has the votes of two thirds of the stake (on an Alpenglow cluster it is the same as `finalized`), `processed` may still be dropped.
 */
export type Commitment = "finalized" | "confirmed" | "processed";
/**
 * all: an asset must match every criterion. any: one is enough.
 */
export type ConditionType = "all" | "any";
/**
 * How account data is written: base64 (default); base64+zstd, compressed; base58 and binary, refused over 128 bytes; jsonParsed, with base64 for what has no parser.
 */
export type Encoding = "binary" | "base58" | "base64" | "base64+zstd" | "jsonParsed";
/**
 * A group: key, for example collection, and value.
 */
export type GroupingPair = [key: string, value: AddressLike];
/**
 * Keep only circulating or non-circulating accounts.
 */
export type LargestAccountsFilter = "circulating" | "nonCirculating";
/**
 * single: one owner. token: many holders, each with an amount.
 */
export type OwnershipModel = "single" | "token";
/**
 * How royalties are shared: creators, among the listed creators by their shares; fanout and single, to one target.
 */
export type RoyaltyModel = "creators" | "fanout" | "single";
/**
 * Slot of the block that was queried. Always below 2^53.
 */
export type Slot = number;
/**
 * asc: ascending. desc: descending.
 */
export type SortDirection = "asc" | "desc";
/**
 * created: slot in which the asset was first seen. updated, recent_action: slot of its last change. id: its address. none: as id.
 */
export type SortKey = "created" | "updated" | "recent_action" | "id" | "none";
/**
 * One of mint and programId.
 */
export type TokenAccountFilter = TokenAccountsOfMint | TokenAccountsOfProgram;

/**
 * An asset, compressed or not.
 */
export interface Asset<I extends IntegerMode = "amounts"> {
  /**
   * Kind of the asset.
   */
  interface: AssetInterface;
  /**
   * Address of the asset: the mint, the MPL Core asset, or the id of a compressed leaf.
   */
  id: Address;
  /**
   * Metadata, files and links, from chain and from the off-chain document.
   */
  content: AssetContent;
  /**
   * Addresses that may change the asset, each with its scopes.
   */
  authorities: Authority[];
  /**
   * Leaf and tree of a compressed asset. The other assets have `compressed` false.
   */
  compression: Compression;
  /**
   * Groups that the asset belongs to.
   */
  grouping: Group[];
  /**
   * Royalties that are due on a sale.
   */
  royalty: Royalty;
  /**
   * Creators in the order of the metadata.
   */
  creators: Creator[];
  /**
   * Creators in the metadata of a compressed asset whose `creators` are those of its collection.
   */
  creators_raw?: Creator[];
  /**
   * Who holds the asset, and what can be done with it.
   */
  ownership: Ownership;
  /**
   * Uses that the metadata grant. Absent where they grant none.
   */
  uses?: Uses<I>;
  /**
   * Numbers of a print or of a master edition.
   */
  supply?: PrintSupply<I>;
  /**
   * Whether the update authority can still change the metadata.
   */
  mutable: boolean;
  /**
   * Whether the asset is burnt. Its last state stays readable.
   */
  burnt: boolean;
  /**
   * The mint of the asset. Only with showFungible.
   */
  token_info?: TokenInfo<I>;
  /**
   * Extensions of a Token-2022 mint.
   */
  mint_extensions?: {
    [k: string]: unknown;
  };
  /**
   * Plugins of an MPL Core asset.
   */
  plugins?: {
    [k: string]: unknown;
  };
  /**
   * Plugins of unknown kinds, and of lists over 2,048 items. Those over 256 KiB have no bytes.
   */
  unknown_plugins?: unknown[];
  /**
   * External plugins of an MPL Core asset. Beyond 256 KiB of all together `data` is absent: getAccountInfo reads it at `data_offset`.
   */
  external_plugins?: unknown[];
  /**
   * External plugins of unknown kinds, and of lists over 2,048 items of all together. Those beyond 256 KiB have no bytes.
   */
  unknown_external_plugins?: unknown[];
  /**
   * Counts of an MPL Core collection.
   */
  mpl_core_info?: {
    [k: string]: unknown;
  };
  /**
   * Inscription attached to the asset.
   */
  inscription?: {
    [k: string]: unknown;
  };
}
/**
 * A trait. Off-chain JSON is shown as written, so members may be of any type.
 */
export interface AssetAttribute {
  /**
   * Name of the trait, by convention a text.
   */
  trait_type?: string;
  /**
   * Value of the trait, by convention a text or a number.
   */
  value?: string | number | bigint | boolean;
  /**
   * How the creator suggests to show the value, for example number or date.
   */
  display_type?: string;
}
/**
 * Metadata, files and links of the asset.
 */
export interface AssetContent {
  /**
   * URI of the schema that the metadata follows.
   */
  $schema: string;
  /**
   * URI of the off-chain JSON, as the chain records it; may be empty.
   */
  json_uri: string;
  /**
   * Files that the off-chain document lists.
   */
  files: AssetFile[];
  /**
   * Name, symbol, description and attributes.
   */
  metadata: AssetMetadata;
  /**
   * Links of the off-chain document: picture, animation, web page.
   */
  links: AssetLinks;
  /**
   * Extension: true in an item of searchAssets that is shown in part; getAsset shows it whole. Of an off-chain document, an item has at most 64 KiB. Of what the chain records, it has more as long as such items take at most half of the largest answer.
   */
  truncated?: boolean;
}
/**
 * A file of an asset.
 */
export interface AssetFile {
  /**
   * URI of the file, as the off-chain JSON has it.
   */
  uri: string;
  /**
   * Media type, for example image/png, as the off-chain JSON has it or as the extension suggests.
   */
  mime: string;
  /**
   * What the creator intends the file for.
   */
  contexts?: string[];
}
/**
 * Links of the off-chain JSON.
 */
export interface AssetLinks {
  /**
   * URI of the picture. Off-chain JSON may hold any type here.
   */
  image?: string;
  /**
   * URI of a video, sound or page. Off-chain JSON may hold any type here.
   */
  animation_url?: string;
  /**
   * URI of the creator's page. Off-chain JSON may hold any type here.
   */
  external_url?: string;
}
/**
 * Name and description.
 */
export interface AssetMetadata {
  /**
   * Name as the chain records it, without padding.
   */
  name: string;
  /**
   * Ticker or short name as the chain records it; may be empty.
   */
  symbol: string;
  /**
   * Description from the off-chain JSON, once it was fetched; may be of any type there.
   */
  description?: string;
  /**
   * List of `AssetAttribute`, from the off-chain JSON, as written there.
   */
  attributes?: AssetAttribute[];
  /**
   * Token standard, where the chain records one.
   */
  token_standard?: string;
}
/**
 * Who may change the asset.
 */
export interface Authority {
  /**
   * Address that may change the asset; empty while unknown.
   */
  address: string;
  /**
   * What it may change; `full` is everything.
   */
  scopes: string[];
}
/**
 * Name, symbol, image and description of a collection; empty strings where unknown.
 */
export interface CollectionMetadata {
  /**
   * Name of the collection. Empty string: unknown.
   */
  name: string;
  /**
   * Symbol of the collection. Empty string: it has none.
   */
  symbol: string;
  /**
   * URL of its picture, from its off-chain JSON. Empty string: unknown.
   */
  image: string;
  /**
   * Its description, from its off-chain JSON, shortened where it is long. Empty string: unknown.
   */
  description: string;
  /**
   * URL of its website, from its off-chain JSON. Empty string: unknown.
   */
  external_url: string;
}
/**
 * Position of a compressed asset in its tree; empty strings and zeros for others.
 */
export interface Compression {
  /**
   * Whether the asset could be compressed.
   */
  eligible: boolean;
  /**
   * Whether the asset is a leaf of a Merkle tree.
   */
  compressed: boolean;
  /**
   * Keccak-256 of the metadata, base58; empty for others.
   */
  data_hash: string;
  /**
   * Keccak-256 of the creators, base58; empty for others.
   */
  creator_hash: string;
  /**
   * Hash of the leaf, base58; empty for others.
   */
  asset_hash: string;
  /**
   * Address of the Merkle tree; empty for others.
   */
  tree: string;
  /**
   * Sequence number of the tree's last change to this leaf; 0 for others.
   */
  seq: number;
  /**
   * Index of the leaf in its tree, from 0 on; 0 for others.
   */
  leaf_id: number;
  /**
   * Hash of the collection, base58; only in leaves of the second schema.
   */
  collection_hash?: string;
  /**
   * Hash of the asset data, base58; only in leaves of the second schema.
   */
  asset_data_hash?: string;
  /**
   * Bit flags of the leaf; only in leaves of the second schema.
   */
  flags?: number;
}
/**
 * Where an answer comes from.
 */
export interface Context {
  /**
   * Version of this API, as `info.version` of the contract.
   */
  apiVersion: string;
  /**
   * Slot of the state that this answer was read from.
   */
  slot: Slot;
}
/**
 * A creator.
 */
export interface Creator {
  /**
   * Address of the creator.
   */
  address: Address;
  /**
   * Share of the royalties in percent, 0 to 100; all shares sum to 100.
   */
  share: number;
  /**
   * Whether the creator has signed. Anyone can list a creator who has not signed.
   */
  verified: boolean;
}
/**
 * Part of the data; a range past the end gives what is there. Only for binary encodings.
 */
export interface DataSlice {
  /**
   * First byte, from 0 on.
   */
  offset: number | bigint;
  /**
   * Number of bytes; fewer come back at the end of the data.
   */
  length: number | bigint;
}
/**
 * Additional members of the asset document.
 */
export interface DisplayOptions {
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
   * A slot. The call is refused with -32016 while this server is behind it. Default: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * One printed edition.
 */
export interface Edition<I extends IntegerMode = "amounts"> {
  /**
   * Mint of the print.
   */
  mint: Address;
  /**
   * Address of the edition account of the print.
   */
  edition_address: Address;
  /**
   * Edition number, from 1 on.
   */
  edition: Uint64<I>;
}
/**
 * The 20 largest, descending.
 */
export interface GetLargestAccountsResult<I extends IntegerMode = "amounts"> {
  /**
   * Slot of the answer.
   */
  context: Context;
  /**
   * At most 20 accounts, descending by balance.
   */
  value: LargestAccount<I>[];
}
/**
 * Printed editions, ascending by number.
 */
export interface GetNftEditionsResult<I extends IntegerMode = "amounts"> {
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
  editions: Edition<I>[];
}
/**
 * The supply of a mint.
 */
export interface GetTokenSupplyResult {
  /**
   * Slot of the answer.
   */
  context: Context;
  /**
   * The supply in raw units and scaled by the decimals of the mint.
   */
  value: TokenAmount;
}
/**
 * A group the asset belongs to.
 */
export interface Group {
  /**
   * Kind of the group: collection, or group for a group of MPL Core.
   */
  group_key: string;
  /**
   * Address of the group.
   */
  group_value: string;
  /**
   * Whether the group confirmed the membership. Only with showUnverifiedCollections.
   */
  verified?: boolean;
  /**
   * Name and picture of the collection. Only with showCollectionMetadata.
   */
  collection_metadata?: CollectionMetadata;
}
/**
 * An account and its balance.
 */
export interface LargestAccount<I extends IntegerMode = "amounts"> {
  /**
   * Address of the account.
   */
  address: Address;
  /**
   * Lamports held.
   */
  lamports: Amount<I>;
}
/**
 * Which accounts, and from which bank. Unknown members are refused; requests of Solana client libraries (header Solana-Client), and to ?profile=agave, may contain any.
 */
export interface LargestAccountsConfig {
  /**
   * Which bank to read: `finalized` (default) cannot be rolled back, `confirmed` has the votes of two thirds of the stake (on an Alpenglow cluster it is the same as `finalized`), `processed` may still be dropped.
   */
  commitment?: Commitment | undefined;
  /**
   * Keep only circulating or non-circulating accounts.
   */
  filter?: LargestAccountsFilter | undefined;
  /**
   * Accepted for compatibility; answers are always sorted.
   */
  sortResults?: boolean | undefined;
}
/**
 * Lamports of the owner.
 */
export interface NativeBalance<I extends IntegerMode = "amounts"> {
  /**
   * Balance of the owner in lamports; 0 without an account.
   */
  lamports: Amount<I>;
}
/**
 * Who holds the asset.
 */
export interface Ownership {
  /**
   * Whether the owner cannot move the asset.
   */
  frozen: boolean;
  /**
   * Whether a delegate is approved.
   */
  delegated: boolean;
  /**
   * Address that may move the asset in place of the owner; null without one.
   */
  delegate: Address | null;
  /**
   * One owner, or many holders.
   */
  ownership_model: OwnershipModel;
  /**
   * Address of the owner; empty while unknown, and for fungible tokens, which have many holders.
   */
  owner: string;
  /**
   * Whether the asset can never change its owner; only in leaves of the second schema.
   */
  non_transferable?: boolean;
}
/**
 * Print numbers.
 */
export interface PrintSupply<I extends IntegerMode = "amounts"> {
  /**
   * Prints that the master edition allows; null = unlimited, 0 when no edition account is known.
   */
  print_max_supply: Uint64<I> | null;
  /**
   * Prints made so far.
   */
  print_current_supply: Uint64<I>;
  /**
   * Bump of the edition address; null where there is none.
   */
  edition_nonce: number | null;
  /**
   * Number of a print. Absent for a master edition.
   */
  edition_number?: Uint64<I> | null;
}
/**
 * Royalties that are due on a sale.
 */
export interface Royalty {
  /**
   * How royalties are shared.
   */
  royalty_model: RoyaltyModel;
  /**
   * Address that receives all royalties; null where the creators share them.
   */
  target: Address | null;
  /**
   * Share of the price as a fraction: 0.05 is 5 %.
   */
  percent: number;
  /**
   * Share of the price in basis points, 0 to 10000: 500 is 5 %.
   */
  basis_points: number;
  /**
   * Whether the first sale is marked as done.
   */
  primary_sale_happened: boolean;
  /**
   * Whether the royalty is locked; false on every known asset.
   */
  locked: boolean;
  /**
   * Of a compressed asset that takes its royalty from its MPL Core collection: 65535, as its metadata say. `basis_points` and `percent` are then the collection's.
   */
  basis_points_raw?: number;
  /**
   * Whether the royalty and the creators are those of the collection. Only with `basis_points_raw`.
   */
  inherited?: boolean;
}
/**
 * One page of matches.
 */
export interface SearchAssetsResult<I extends IntegerMode = "amounts"> {
  /**
   * Exact number of matches on all pages.
   */
  total: number;
  /**
   * Largest number of assets on this page.
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
   * The same as `total`, under the name that other servers use. Only with showGrandTotal.
   */
  grand_total?: number;
  /**
   * Balance of the owner. Only with showNativeBalance.
   */
  nativeBalance?: NativeBalance<I>;
  /**
   * The assets of this page, in the order that was asked for.
   */
  items: Asset<I>[];
}
/**
 * Additional members, and what counts as a match.
 */
export interface SearchOptions {
  /**
   * Adds `token_info`: supply, decimals and authorities of the mint; with ownerAddress also what the wallet holds. Default false.
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
   * Adds `grand_total`. Default false.
   */
  showGrandTotal?: boolean | undefined;
  /**
   * Adds `nativeBalance`; needs ownerAddress. Default false.
   */
  showNativeBalance?: boolean | undefined;
  /**
   * Counts emptied token accounts of the owner as matches too. Default false.
   */
  showZeroBalance?: boolean | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Default: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Order of the answer; default id, descending.
 */
export interface SortBy {
  /**
   * created: slot in which the asset was first seen. updated, recent_action: slot of its last change. id: its address. none: as id.
   */
  sortBy?: SortKey | undefined;
  /**
   * asc: ascending. desc: descending.
   */
  sortDirection?: SortDirection | undefined;
}
/**
 * Token accounts of one mint.
 */
export interface TokenAccountsOfMint {
  /**
   * Mint whose token accounts are listed.
   */
  mint: AddressLike;
}
/**
 * Token accounts of one token program.
 */
export interface TokenAccountsOfProgram {
  /**
   * Token program whose accounts are listed: SPL Token or Token-2022.
   */
  programId: AddressLike;
}
/**
 * A token amount.
 */
export interface TokenAmount {
  /**
   * Raw units, a u64 as decimal text.
   */
  amount: string;
  /**
   * Decimal places of the mint, 0 to 255.
   */
  decimals: number;
  /**
   * Scaled amount as a rounded number; null where it is not finite. Deprecated: use uiAmountString.
   */
  uiAmount: number | null;
  /**
   * Scaled amount as exact decimal text.
   */
  uiAmountString: string;
}
/**
 * The mint behind the asset.
 */
export interface TokenInfo<I extends IntegerMode = "amounts"> {
  /**
   * Supply in raw units.
   */
  supply: Amount<I>;
  /**
   * Decimal places of the mint, 0 to 255.
   */
  decimals: number;
  /**
   * Program of the mint: SPL Token or Token-2022.
   */
  token_program: Address;
  /**
   * Address that may mint more; absent when nothing can be minted any more.
   */
  mint_authority?: Address;
  /**
   * Address that may freeze token accounts; absent without one.
   */
  freeze_authority?: Address;
  /**
   * Extension: what `ownerAddress` holds, in raw units: the sum of its token accounts. Only in items of `searchAssets` with `ownerAddress` and `options.showFungible`; 0 where it holds none.
   */
  balance?: Amount<I>;
  /**
   * Extension: the token account of `ownerAddress` with the largest amount; of equal ones the lowest address. Given with `balance`; absent where there is none.
   */
  token_account?: Address;
  /**
   * Extension: number of token accounts of `ownerAddress` for this mint, empty ones too. Given with `balance`.
   */
  token_accounts?: number;
}
/**
 * How to read the supply. Unknown members are refused; requests of Solana client libraries (header Solana-Client), and to ?profile=agave, may contain any.
 */
export interface TokenSupplyConfig {
  /**
   * Which bank to read: `finalized` (default) cannot be rolled back, `confirmed` has the votes of two thirds of the stake (on an Alpenglow cluster it is the same as `finalized`), `processed` may still be dropped.
   */
  commitment?: Commitment | undefined;
}
/**
 * Remaining uses.
 */
export interface Uses<I extends IntegerMode = "amounts"> {
  /**
   * What a use does: burn, once, or several times.
   */
  use_method: "burn" | "multiple" | "single";
  /**
   * Uses that are left.
   */
  remaining: Uint64<I>;
  /**
   * Uses that were granted.
   */
  total: Uint64<I>;
}
/**
 * Parameters of getNftEditions by name.
 */
export interface GetNftEditionsParams {
  /**
   * Mint of the master edition, or of one of its prints.
   */
  mint: AddressLike;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number | undefined;
  /**
   * Rows of the answer, 1 to 1000. Null: 100.
   */
  limit?: number | undefined;
  /**
   * The `cursor` of an earlier answer: the page after it. An edition number, mint or edition address is accepted too. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string | undefined;
  /**
   * The page directly before this edition number, mint or edition address, which is not listed. Null: not used.
   */
  before?: string | undefined;
  /**
   * The page that follows this edition number, mint or edition address, which is not listed. Null: not used.
   */
  after?: string | undefined;
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
   * Kind of the asset. Null: every kind.
   */
  interface?: AssetInterface | undefined;
  /**
   * Wallet that owns the asset, or holds a positive amount of it. Null: any owner.
   */
  ownerAddress?: AddressLike | undefined;
  /**
   * With `ownerAddress`: only what it owns alone (single), or as one of many holders (token). Without it: the ownership model. Null: both.
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
  delegateAddress?: AddressLike | undefined;
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
   * Assets of the answer, 1 to 1000. Null: 100.
   */
  limit?: number | undefined;
  /**
   * Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given.
   */
  page?: number | undefined;
  /**
   * The page directly before the asset with this id, which is not listed. Null: not used.
   */
  before?: AddressLike | undefined;
  /**
   * The page that follows the asset with this id, which is not listed. Null: not used.
   */
  after?: AddressLike | undefined;
  /**
   * Exact URI of the off-chain JSON, up to 200 characters on the chain. Null: any.
   */
  jsonUri?: string | undefined;
  /**
   * fungible, nonFungible, regularNft, compressedNft or all; any letter case. Null: all.
   */
  tokenType?: string | undefined;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page.
   */
  cursor?: string | undefined;
  /**
   * Part of the name, in any letter case; needs `ownerAddress`. Null: any name.
   */
  name?: string | undefined;
  /**
   * Address of the Merkle tree of compressed assets. Null: any or none.
   */
  tree?: AddressLike | undefined;
  /**
   * Additional members, and what counts as a match. Null: none.
   */
  options?: SearchOptions | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
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
  config?: DisplayOptions | undefined;
  /**
   * A slot. The call is refused with -32016 while this server is behind it. Null: any slot.
   */
  minContextSlot?: number | bigint | undefined;
}
/**
 * Parameters of getTokenSupply by name.
 */
export interface GetTokenSupplyParams {
  /**
   * Address of a mint of Token or Token-2022.
   */
  pubKey: AddressLike;
  /**
   * Which bank to read. Null: finalized.
   */
  config?: TokenSupplyConfig | undefined;
}
/**
 * Parameters of getLargestAccounts by name.
 */
export interface GetLargestAccountsParams {
  /**
   * Which accounts, and from which bank. Null: all accounts, finalized.
   */
  config?: LargestAccountsConfig | undefined;
}