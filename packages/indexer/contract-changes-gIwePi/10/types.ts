// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.
export type AccountData = EncodedData | ParsedAccountData | string;
export type Address = string;
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
export type Commitment = "finalized" | "confirmed" | "processed";
export type ConditionType = "all" | "any";
export type EncodedData = [string, string];
export type Encoding = "binary" | "base58" | "base64" | "base64+zstd" | "jsonParsed";
export type GetAccountInfoResult = AccountInfo | null;
export type GroupingPair = [string, string];
export type LargestAccountsFilter = "circulating" | "nonCirculating";
export type OwnershipModel = "single" | "token";
export type RoyaltyModel = "creators" | "fanout" | "single";
export type Slot = number;
export type SortDirection = "asc" | "desc";
export type SortKey = "created" | "updated" | "recent_action" | "id" | "none";
export type TokenAccountFilter = TokenAccountsOfMint | TokenAccountsOfProgram;

export interface Account {
  data: AccountData;
  executable: boolean;
  lamports: number | bigint;
  owner: Address;
  rentEpoch: number | bigint;
  space: number | bigint;
}
export interface AccountConfig {
  commitment?: Commitment;
  encoding?: Encoding;
  dataSlice?: DataSlice;
  minContextSlot?: number | bigint;
}
export interface AccountInfo {
  context: Context;
  value: Account | null;
}
export interface Asset {
  interface: AssetInterface;
  id: Address;
  content: AssetContent;
  authorities: Authority[];
  compression_2: Compression;
  grouping: Group[];
  royalty: Royalty;
  creators: Creator[];
  creators_raw?: Creator[];
  ownership: Ownership;
  uses?: Uses;
  supply?: PrintSupply;
  mutable: boolean;
  burnt: boolean;
  token_info?: TokenInfo;
  mint_extensions?: {
    [k: string]: unknown;
  };
  plugins?: {
    [k: string]: unknown;
  };
  unknown_plugins?: unknown[];
  external_plugins?: unknown[];
  unknown_external_plugins?: unknown[];
  mpl_core_info?: {
    [k: string]: unknown;
  };
  inscription?: {
    [k: string]: unknown;
  };
}
export interface AssetAttribute {
  trait_type?: unknown;
  value?: unknown;
  display_type?: unknown;
  [k: string]: unknown;
}
export interface AssetContent {
  $schema: string;
  json_uri: string;
  files: AssetFile[];
  metadata: AssetMetadata;
  links: AssetLinks;
  truncated?: boolean;
}
export interface AssetFile {
  uri: string;
  mime: string;
  contexts?: string[];
}
export interface AssetLinks {
  image?: unknown;
  animation_url?: unknown;
  external_url?: unknown;
  [k: string]: unknown;
}
export interface AssetMetadata {
  name: string;
  symbol: string;
  description?: unknown;
  attributes?: unknown;
  token_standard?: string;
}
export interface Authority {
  address: string;
  scopes: string[];
}
export interface CollectionMetadata {
  name: unknown;
  symbol: unknown;
  image: unknown;
  description: unknown;
  external_url: unknown;
}
export interface Compression {
  eligible: boolean;
  compressed: boolean;
  data_hash: string;
  creator_hash: string;
  asset_hash: string;
  tree: string;
  seq: number;
  leaf_id: number;
  collection_hash?: string;
  asset_data_hash?: string;
  flags?: number;
}
export interface Context {
  apiVersion: string;
  slot: Slot;
}
export interface Creator {
  address: Address;
  share: number;
  verified: boolean;
}
export interface DataSlice {
  offset: number | bigint;
  length: number | bigint;
}
export interface DisplayOptions {
  showFungible?: boolean;
  showUnverifiedCollections?: boolean;
  showCollectionMetadata?: boolean;
  showInscription?: boolean;
  minContextSlot?: number | bigint;
}
export interface Edition {
  mint: Address;
  edition_address: Address;
  edition: number | bigint;
}
export interface GetLargestAccountsResult {
  context: Context;
  value: LargestAccount[];
}
export interface GetNftEditionsResult {
  total: number;
  limit: number;
  page?: number;
  cursor?: string;
  master_edition_address: Address;
  supply: number | bigint;
  max_supply: number | bigint | null;
  editions: Edition[];
}
export interface GetTokenAccountsByDelegateResult {
  context: Context;
  value: TokenAccountEntry[];
}
export interface GetTokenSupplyResult {
  context: Context;
  value: TokenAmount;
}
export interface Group {
  group_key: string;
  group_value: string;
  verified?: boolean;
  collection_metadata?: CollectionMetadata;
}
export interface LargestAccount {
  address: Address;
  lamports: number | bigint;
}
export interface LargestAccountsConfig {
  commitment?: Commitment;
  filter?: LargestAccountsFilter;
  sortResults?: boolean;
}
export interface NativeBalance {
  lamports: number | bigint;
}
export interface Ownership {
  frozen: boolean;
  delegated: boolean;
  delegate: Address | null;
  ownership_model: OwnershipModel;
  owner: string;
  non_transferable?: boolean;
}
export interface ParsedAccountData {
  parsed: {
    info?: unknown;
    type: string;
  };
  program: string;
  space: number | bigint;
}
export interface PrintSupply {
  print_max_supply: number | bigint | null;
  print_current_supply: number | bigint;
  edition_nonce: number | null;
  edition_number?: number | bigint | null;
}
export interface Royalty {
  royalty_model: RoyaltyModel;
  target: Address | null;
  percent: number;
  basis_points: number;
  primary_sale_happened: boolean;
  locked: boolean;
  basis_points_raw?: number;
  inherited?: boolean;
}
export interface SearchAssetsResult {
  total: number;
  limit: number;
  page?: number;
  cursor?: string;
  grand_total?: number;
  nativeBalance?: NativeBalance;
  items: Asset[];
}
export interface SearchOptions {
  showFungible?: boolean;
  showUnverifiedCollections?: boolean;
  showCollectionMetadata?: boolean;
  showInscription?: boolean;
  showGrandTotal?: boolean;
  showNativeBalance?: boolean;
  showZeroBalance?: boolean;
  minContextSlot?: number | bigint;
}
export interface SortBy {
  sortBy?: SortKey;
  sortDirection?: SortDirection;
}
export interface TokenAccountEntry {
  account: Account;
  pubkey: Address;
}
export interface TokenAccountsOfMint {
  mint: Address;
}
export interface TokenAccountsOfProgram {
  programId: Address;
}
export interface TokenAmount {
  amount: string;
  decimals: number;
  uiAmount: number | null;
  uiAmountString: string;
}
export interface TokenInfo {
  supply: number | bigint;
  decimals: number;
  token_program: Address;
  mint_authority?: Address;
  freeze_authority?: Address;
  balance?: number | bigint;
  token_account?: Address;
  token_accounts?: number;
}
export interface TokenSupplyConfig {
  commitment?: Commitment;
}
export interface Uses {
  use_method: "burn" | "multiple" | "single";
  remaining: number | bigint;
  total: number | bigint;
}
export interface GetNftEditionsParams {
  mint: Address;
  page?: number;
  limit?: number;
  cursor?: string;
  before?: string;
  after?: string;
  minContextSlot?: number | bigint;
}
export interface SearchAssetsParams {
  negate?: boolean;
  conditionType?: ConditionType;
  interface?: AssetInterface;
  ownerAddress?: Address;
  ownerType?: OwnershipModel;
  creatorAddress?: Address;
  creatorVerified?: boolean;
  authorityAddress?: Address;
  grouping?: GroupingPair;
  delegateAddress?: Address;
  frozen?: boolean;
  supply?: number | bigint;
  supplyMint?: Address;
  compressed?: boolean;
  compressible?: boolean;
  royaltyTargetType?: RoyaltyModel;
  royaltyTarget?: Address;
  royaltyAmount?: number | bigint;
  burnt?: boolean;
  sortBy?: SortBy;
  limit?: number;
  page?: number;
  before?: Address;
  after?: Address;
  jsonUri?: string;
  tokenType?: string;
  cursor?: string;
  name?: string;
  tree?: Address;
  options?: SearchOptions;
  minContextSlot?: number | bigint;
}
export interface GetTokenAccountsByDelegateParams {
  address: Address;
  accountDetails: TokenAccountFilter;
  config?: AccountConfig;
}
export interface GetAccountInfoParams {
  address: Address;
  config?: AccountConfig;
}
export interface GetAssetParams {
  id: Address;
  config?: DisplayOptions;
  minContextSlot?: number | bigint;
}
export interface GetTokenSupplyParams {
  pubKey: Address;
  config?: TokenSupplyConfig;
}
export interface GetLargestAccountsParams {
  config?: LargestAccountsConfig;
}
export type GetAssetResult = Asset;

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
