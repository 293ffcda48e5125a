// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.
/**
 * Data in the requested encoding: [text, encoding], a parsed object, or, in the legacy binary encoding, a bare base58 string.
 */
export type AccountData = EncodedData | ParsedAccountData | string;
/**
 * Base58 text of 32 bytes.
 */
export type Address = string;
/**
 * Kind of an asset. The MPL Core kinds are extensions. No asset is a MplBubblegumV2, V1_PRINT, LEGACY_NFT, V2_NFT, Identity or Executable.
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
 * Which bank to read: finalized (default), confirmed or processed.
 */
export type Commitment = "finalized" | "confirmed" | "processed";
/**
 * Whether an asset must match all criteria or any.
 */
export type ConditionType = "all" | "any";
/**
 * Encoded data, and the name of the encoding.
 *
 * @minItems 2
 * @maxItems 2
 */
export type EncodedData = [string, string];
/**
 * How account data is written. base58 and binary are refused over 128 bytes.
 */
export type Encoding = "binary" | "base58" | "base64" | "base64+zstd" | "jsonParsed";
/**
 * null when the account does not exist. Requests of Solana client libraries (header Solana-Client) get an object with value null instead.
 */
export type GetAccountInfoResult = AccountInfo | null;
/**
 * A group: key, for example collection, and value.
 *
 * @minItems 2
 * @maxItems 2
 */
export type GroupingPair = [string, string];
/**
 * Keep only circulating or non-circulating accounts.
 */
export type LargestAccountsFilter = "circulating" | "nonCirculating";
/**
 * One owner, or many holders.
 */
export type OwnershipModel = "single" | "token";
/**
 * How royalties are shared.
 */
export type RoyaltyModel = "creators" | "fanout" | "single";
/**
 * Slot of the block that was queried. Always below 2^53.
 */
export type Slot = number;
/**
 * Ascending or descending.
 */
export type SortDirection = "asc" | "desc";
/**
 * Sort key.
 */
export type SortKey = "created" | "updated" | "recent_action" | "id" | "none";
/**
 * One of mint and programId.
 */
export type TokenAccountFilter = TokenAccountsOfMint | TokenAccountsOfProgram;

/**
 * An account.
 */
export interface Account {
  data: AccountData;
  /**
   * Whether the account is executable.
   */
  executable: boolean;
  /**
   * Lamports held.
   */
  lamports: bigint;
  owner: Address;
  /**
   * Epoch in which rent is next due; usually 2^64 - 1.
   */
  rentEpoch: bigint;
  /**
   * Size of the data in bytes.
   */
  space: bigint;
}
/**
 * How to read accounts. Unknown members are refused; requests of Solana client libraries (header Solana-Client) may contain any.
 */
export interface AccountConfig {
  commitment?: Commitment;
  encoding?: Encoding;
  dataSlice?: DataSlice;
  /**
   * Refuse to answer from an older slot.
   */
  minContextSlot?: bigint;
}
/**
 * An account and where it was read.
 */
export interface AccountInfo {
  context: Context;
  value: Account | null;
}
/**
 * An asset, compressed or not.
 */
export interface Asset {
  interface: AssetInterface;
  id: Address;
  content: AssetContent;
  authorities: Authority[];
  compression: Compression;
  grouping: Group[];
  royalty: Royalty;
  creators: Creator[];
  ownership: Ownership;
  uses?: Uses;
  supply?: PrintSupply;
  /**
   * Whether it can still change.
   */
  mutable: boolean;
  /**
   * Whether it is burnt.
   */
  burnt: boolean;
  token_info?: TokenInfo;
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
   * Plugins of unknown kinds.
   */
  unknown_plugins?: unknown[];
  /**
   * External plugins of an MPL Core asset.
   */
  external_plugins?: unknown[];
  /**
   * External plugins of unknown kinds.
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
   * Name of the trait.
   */
  trait_type?: unknown;
  /**
   * Its value.
   */
  value?: unknown;
  /**
   * Display type of the trait.
   */
  display_type?: unknown;
  [k: string]: unknown;
}
/**
 * Metadata, files and links of the asset.
 */
export interface AssetContent {
  /**
   * Schema of the metadata.
   */
  $schema: string;
  /**
   * URI of the off-chain JSON.
   */
  json_uri: string;
  files: AssetFile[];
  metadata: AssetMetadata;
  links: AssetLinks;
  /**
   * Extension: true in an item of searchAssets whose off-chain document takes more than 64 KiB and is shown in part; getAsset shows it whole.
   */
  truncated?: boolean;
}
/**
 * A file of an asset.
 */
export interface AssetFile {
  /**
   * URI of the file.
   */
  uri: string;
  /**
   * Media type.
   */
  mime: string;
  /**
   * Intended uses.
   */
  contexts?: string[];
}
/**
 * Links of the off-chain JSON.
 */
export interface AssetLinks {
  /**
   * Image.
   */
  image?: unknown;
  /**
   * Animation.
   */
  animation_url?: unknown;
  /**
   * Website.
   */
  external_url?: unknown;
  [k: string]: unknown;
}
/**
 * Name and description.
 */
export interface AssetMetadata {
  /**
   * Name.
   */
  name: string;
  /**
   * Symbol.
   */
  symbol: string;
  /**
   * From the off-chain JSON, once fetched.
   */
  description?: unknown;
  /**
   * List of `AssetAttribute`, from the off-chain JSON, as written there.
   */
  attributes?: unknown;
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
   * Address; empty while unknown.
   */
  address: string;
  /**
   * Scopes of the authority.
   */
  scopes: string[];
}
/**
 * Name, symbol, image and description of a collection; empty strings where unknown.
 */
export interface CollectionMetadata {
  /**
   * Name.
   */
  name: unknown;
  /**
   * Symbol.
   */
  symbol: unknown;
  /**
   * Image.
   */
  image: unknown;
  /**
   * Description.
   */
  description: unknown;
  /**
   * Website.
   */
  external_url: unknown;
}
/**
 * Position of a compressed asset in its tree; empty strings and zeros for others.
 */
export interface Compression {
  /**
   * Eligible for compression.
   */
  eligible: boolean;
  /**
   * Compressed.
   */
  compressed: boolean;
  /**
   * Data hash.
   */
  data_hash: string;
  /**
   * Creator hash.
   */
  creator_hash: string;
  /**
   * Asset hash.
   */
  asset_hash: string;
  /**
   * Merkle tree.
   */
  tree: string;
  /**
   * Sequence number.
   */
  seq: number;
  /**
   * Leaf index.
   */
  leaf_id: number;
  /**
   * Of the second leaf schema.
   */
  collection_hash?: string;
  /**
   * Of the second leaf schema.
   */
  asset_data_hash?: string;
  /**
   * Of the second leaf schema.
   */
  flags?: number;
}
/**
 * Where an answer comes from.
 */
export interface Context {
  /**
   * Version of the API used for the query.
   */
  apiVersion: string;
  slot: Slot;
}
/**
 * A creator.
 */
export interface Creator {
  address: Address;
  /**
   * Percent.
   */
  share: number;
  /**
   * Whether the creator signed.
   */
  verified: boolean;
}
/**
 * Part of the data; a range past the end gives what is there. Only for binary encodings.
 */
export interface DataSlice {
  /**
   * First byte.
   */
  offset: bigint;
  /**
   * Number of bytes.
   */
  length: bigint;
}
/**
 * Additional members of the asset document.
 */
export interface DisplayOptions {
  /**
   * Adds token_info.
   */
  showFungible?: boolean;
  /**
   * Shows unverified groups too, with their verified flag.
   */
  showUnverifiedCollections?: boolean;
  /**
   * Adds collection_metadata to each collection group.
   */
  showCollectionMetadata?: boolean;
  /**
   * Adds inscription.
   */
  showInscription?: boolean;
  /**
   * As the parameter minContextSlot.
   */
  minContextSlot?: bigint;
}
/**
 * One printed edition.
 */
export interface Edition {
  mint: Address;
  edition_address: Address;
  /**
   * Edition number.
   */
  edition: bigint;
}
/**
 * The 20 largest, descending.
 */
export interface GetLargestAccountsResult {
  context: Context;
  value: LargestAccount[];
}
/**
 * Printed editions, ascending by number.
 */
export interface GetNftEditionsResult {
  /**
   * Exact number of editions known.
   */
  total: number;
  /**
   * Maximum number of editions in this answer.
   */
  limit: number;
  /**
   * Page, in page mode.
   */
  page?: number;
  /**
   * Start of the next page, in every answer that has one.
   */
  cursor?: string;
  master_edition_address: Address;
  /**
   * Current supply of editions.
   */
  supply: bigint;
  max_supply: bigint | null;
  editions: Edition[];
}
/**
 * Token accounts, ascending by address bytes.
 */
export interface GetTokenAccountsByDelegateResult {
  context: Context;
  value: TokenAccountEntry[];
}
/**
 * The supply of a mint.
 */
export interface GetTokenSupplyResult {
  context: Context;
  value: TokenAmount;
}
/**
 * A group the asset belongs to.
 */
export interface Group {
  /**
   * For example collection.
   */
  group_key: string;
  /**
   * Its address.
   */
  group_value: string;
  /**
   * Shown with showUnverifiedCollections.
   */
  verified?: boolean;
  collection_metadata?: CollectionMetadata;
}
/**
 * An account and its balance.
 */
export interface LargestAccount {
  address: Address;
  /**
   * Lamports held.
   */
  lamports: bigint;
}
/**
 * Which accounts, and from which bank. Unknown members are refused; requests of Solana client libraries (header Solana-Client) may contain any.
 */
export interface LargestAccountsConfig {
  commitment?: Commitment;
  filter?: LargestAccountsFilter;
  /**
   * Accepted for compatibility; answers are always sorted.
   */
  sortResults?: boolean;
}
/**
 * Lamports of the owner.
 */
export interface NativeBalance {
  /**
   * Lamports held.
   */
  lamports: bigint;
}
/**
 * Who holds the asset.
 */
export interface Ownership {
  /**
   * Whether it is frozen.
   */
  frozen: boolean;
  /**
   * Whether a delegate is approved.
   */
  delegated: boolean;
  delegate: Address | null;
  ownership_model: OwnershipModel;
  /**
   * Owner; empty when unknown and for fungibles.
   */
  owner: string;
  /**
   * Of compressed assets of the second schema.
   */
  non_transferable?: boolean;
}
/**
 * Data of an account that a parser knows.
 */
export interface ParsedAccountData {
  /**
   * The parsed record: type, and info where there is any.
   */
  parsed: {
    /**
     * Members by program and type; u64 may be exact integers beyond 2^53.
     */
    info?: unknown;
    /**
     * Type of the parsed record.
     */
    type: string;
  };
  /**
   * Program that manages the account.
   */
  program: string;
  /**
   * Size of the data in bytes.
   */
  space: bigint;
}
/**
 * Print numbers.
 */
export interface PrintSupply {
  print_max_supply: bigint | null;
  /**
   * Printed so far.
   */
  print_current_supply: bigint;
  edition_nonce: number | null;
  edition_number?: bigint | null;
}
/**
 * Royalties that are due on a sale.
 */
export interface Royalty {
  royalty_model: RoyaltyModel;
  target: Address | null;
  /**
   * Fraction: basis points / 10000.
   */
  percent: number;
  /**
   * Basis points.
   */
  basis_points: number;
  /**
   * Whether the first sale happened.
   */
  primary_sale_happened: boolean;
  /**
   * Whether locked.
   */
  locked: boolean;
}
/**
 * One page of matches.
 */
export interface SearchAssetsResult {
  /**
   * Exact number of matches.
   */
  total: number;
  /**
   * Maximum number of assets in this answer.
   */
  limit: number;
  /**
   * Page, in page mode.
   */
  page?: number;
  /**
   * Start of the next page, in every answer that has one.
   */
  cursor?: string;
  /**
   * The exact total again, with showGrandTotal.
   */
  grand_total?: number;
  nativeBalance?: NativeBalance;
  items: Asset[];
}
/**
 * Additional members, and what counts as a match.
 */
export interface SearchOptions {
  /**
   * Adds token_info.
   */
  showFungible?: boolean;
  /**
   * Shows unverified groups too, with their verified flag.
   */
  showUnverifiedCollections?: boolean;
  /**
   * Adds collection_metadata to each collection group.
   */
  showCollectionMetadata?: boolean;
  /**
   * Adds inscription.
   */
  showInscription?: boolean;
  /**
   * Adds grand_total.
   */
  showGrandTotal?: boolean;
  /**
   * Adds nativeBalance; needs ownerAddress.
   */
  showNativeBalance?: boolean;
  /**
   * Counts empty token accounts of the owner too.
   */
  showZeroBalance?: boolean;
  /**
   * As the parameter minContextSlot.
   */
  minContextSlot?: bigint;
}
/**
 * Order of the answer; default id, descending.
 */
export interface SortBy {
  sortBy?: SortKey;
  sortDirection?: SortDirection;
}
/**
 * A token account.
 */
export interface TokenAccountEntry {
  account: Account;
  pubkey: Address;
}
/**
 * Token accounts of one mint.
 */
export interface TokenAccountsOfMint {
  mint: Address;
}
/**
 * Token accounts of one token program.
 */
export interface TokenAccountsOfProgram {
  programId: Address;
}
/**
 * A token amount.
 */
export interface TokenAmount {
  /**
   * Raw units, a u64 as text.
   */
  amount: string;
  /**
   * Decimal places of the mint.
   */
  decimals: number;
  /**
   * Scaled amount, rounded. Deprecated.
   */
  uiAmount: number | null;
  /**
   * Scaled amount, exact.
   */
  uiAmountString: string;
}
/**
 * The mint behind the asset.
 */
export interface TokenInfo {
  /**
   * Raw units.
   */
  supply: bigint;
  /**
   * Decimal places.
   */
  decimals: number;
  token_program: Address;
  mint_authority?: Address;
  freeze_authority?: Address;
}
/**
 * How to read the supply. Unknown members are refused; requests of Solana client libraries (header Solana-Client) may contain any.
 */
export interface TokenSupplyConfig {
  commitment?: Commitment;
}
/**
 * Remaining uses.
 */
export interface Uses {
  /**
   * Effect of a use.
   */
  use_method: "burn" | "multiple" | "single";
  /**
   * Left.
   */
  remaining: bigint;
  /**
   * In all.
   */
  total: bigint;
}
/**
 * Parameters of getNftEditions by name.
 */
export interface GetNftEditionsParams {
  /**
   * Mint of the master edition, or of one of its prints.
   */
  mint: Address;
  /**
   * Page, from 1 on.
   */
  page?: number;
  /**
   * Results per page, 1 to 1000; default 100.
   */
  limit?: number;
  /**
   * The `cursor` of an earlier answer: the page after it. An edition number, mint or edition address is accepted too. At most one of `page`, `before`, `after` and `cursor` is accepted.
   */
  cursor?: string;
  /**
   * The page directly before this edition number, mint or edition address.
   */
  before?: string;
  /**
   * The page that follows this edition number, mint or edition address.
   */
  after?: string;
  /**
   * Refuse to answer from an older slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of searchAssets by name.
 */
export interface SearchAssetsParams {
  /**
   * Inverts the whole group of criteria.
   */
  negate?: boolean;
  /**
   * Whether all criteria must match (default) or any.
   */
  conditionType?: ConditionType;
  /**
   * Kind of asset.
   */
  interface?: AssetInterface;
  /**
   * Owner, or holder of a positive amount.
   */
  ownerAddress?: Address;
  /**
   * Restricts ownerAddress; without it, the ownership model.
   */
  ownerType?: OwnershipModel;
  /**
   * A creator.
   */
  creatorAddress?: Address;
  /**
   * Whether that creator is verified; without creatorAddress, whether any creator is.
   */
  creatorVerified?: boolean;
  /**
   * Authority.
   */
  authorityAddress?: Address;
  /**
   * A group (key, value) pair: the key is collection or group (an MPL Core group), the value its address.
   */
  grouping?: GroupingPair;
  /**
   * Delegate.
   */
  delegateAddress?: Address;
  /**
   * Whether the asset is frozen.
   */
  frozen?: boolean;
  /**
   * Raw units.
   */
  supply?: number | bigint;
  /**
   * Token mint behind the asset.
   */
  supplyMint?: Address;
  /**
   * Whether the asset is compressed.
   */
  compressed?: boolean;
  /**
   * Whether the asset is compressible.
   */
  compressible?: boolean;
  /**
   * Royalty model.
   */
  royaltyTargetType?: RoyaltyModel;
  /**
   * A creator that receives a share.
   */
  royaltyTarget?: Address;
  /**
   * Basis points.
   */
  royaltyAmount?: number | bigint;
  /**
   * Whether the asset is burnt.
   */
  burnt?: boolean;
  /**
   * Order of the answer.
   */
  sortBy?: SortBy;
  /**
   * Assets per page, 1 to 1000; default 100.
   */
  limit?: number;
  /**
   * Page, from 1 on.
   */
  page?: number;
  /**
   * The page directly before this asset.
   */
  before?: Address;
  /**
   * The page that follows this asset.
   */
  after?: Address;
  /**
   * URI of the off-chain JSON.
   */
  jsonUri?: string;
  /**
   * fungible, nonFungible, regularNft, compressedNft or all; any letter case.
   */
  tokenType?: string;
  /**
   * The `cursor` of an earlier answer: the page after it. At most one of `page`, `before`, `after` and `cursor` is accepted.
   */
  cursor?: string;
  /**
   * Case-insensitive part of the name; needs ownerAddress.
   */
  name?: string;
  /**
   * Merkle tree of compressed assets.
   */
  tree?: Address;
  /**
   * Additional members, and what counts as a match.
   */
  options?: SearchOptions;
  /**
   * Refuse to answer from an older slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of getTokenAccountsByDelegate by name.
 */
export interface GetTokenAccountsByDelegateParams {
  /**
   * The delegate.
   */
  address: Address;
  /**
   * A mint, or a token program.
   */
  accountDetails: TokenAccountFilter;
  /**
   * How to read accounts.
   */
  config?: AccountConfig;
}
/**
 * Parameters of getAccountInfo by name.
 */
export interface GetAccountInfoParams {
  /**
   * The account.
   */
  address: Address;
  /**
   * How to read the account.
   */
  config?: AccountConfig;
}
/**
 * Parameters of getAsset by name.
 */
export interface GetAssetParams {
  /**
   * The asset.
   */
  id: Address;
  /**
   * Additional members of the asset document.
   */
  config?: DisplayOptions;
  /**
   * Refuse to answer from an older slot.
   */
  minContextSlot?: number | bigint;
}
/**
 * Parameters of getTokenSupply by name.
 */
export interface GetTokenSupplyParams {
  /**
   * The mint.
   */
  pubKey: Address;
  /**
   * How to read the supply.
   */
  config?: TokenSupplyConfig;
}
/**
 * Parameters of getLargestAccounts by name.
 */
export interface GetLargestAccountsParams {
  /**
   * Which accounts, and from which bank.
   */
  config?: LargestAccountsConfig;
}
export type GetAssetResult = Asset;

/** Every method by its wire name. */
export interface MethodTypes {
  getNftEditions: { params: GetNftEditionsParams; result: GetNftEditionsResult };
  searchAssets: { params: SearchAssetsParams; result: SearchAssetsResult };
  getTokenAccountsByDelegate: { params: GetTokenAccountsByDelegateParams; result: GetTokenAccountsByDelegateResult };
  getAccountInfo: { params: GetAccountInfoParams; result: GetAccountInfoResult };
  getAsset: { params: GetAssetParams; result: GetAssetResult };
  getTokenSupply: { params: GetTokenSupplyParams; result: GetTokenSupplyResult };
  getLargestAccounts: { params: GetLargestAccountsParams; result: GetLargestAccountsResult };
}

export type MethodName = keyof MethodTypes;
