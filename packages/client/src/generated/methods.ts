// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type {
  AccountConfig,
  Address,
  AssetInterface,
  ConditionType,
  DisplayOptions,
  GetAccountInfoParams,
  GetAccountInfoResult,
  GetAssetParams,
  GetAssetResult,
  GetLargestAccountsParams,
  GetLargestAccountsResult,
  GetNftEditionsParams,
  GetNftEditionsResult,
  GetTokenAccountsByDelegateParams,
  GetTokenAccountsByDelegateResult,
  GetTokenSupplyParams,
  GetTokenSupplyResult,
  GroupingPair,
  LargestAccountsConfig,
  MethodName,
  OwnershipModel,
  RoyaltyModel,
  SearchAssetsParams,
  SearchAssetsResult,
  SortBy,
  TokenAccountFilter,
  TokenSupplyConfig,
} from "./types.ts";

/** Positional arguments of getNftEditions. */
export type GetNftEditionsPositions = [
  /** Mint of the master edition, or of one of its prints. */
  mint: Address,
  /** Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given. */
  page?: number | null | undefined,
  /** Rows of the answer, 1 to 1000. Null: 100. */
  limit?: number | null | undefined,
  /** The `cursor` of an earlier answer: the page after it. An edition number, mint or edition address is accepted too. At most one of `page`, `before`, `after` and `cursor` is accepted. Null: the first page. */
  cursor?: string | null | undefined,
  /** The page directly before this edition number, mint or edition address, which is not listed. Null: not used. */
  before?: string | null | undefined,
  /** The page that follows this edition number, mint or edition address, which is not listed. Null: not used. */
  after?: string | null | undefined,
];

/** Positional arguments of searchAssets. */
export type SearchAssetsPositions = [
  /** True inverts the group of criteria as a whole: what does not match it. Null: false. */
  negate?: boolean | null | undefined,
  /** Whether an asset must match all criteria or any of them. Null: all. */
  conditionType?: ConditionType | null | undefined,
  /** Kind of the asset. Null: every kind. */
  interface_?: AssetInterface | null | undefined,
  /** Wallet that owns the asset, or holds a positive amount of it. Null: any owner. */
  ownerAddress?: Address | null | undefined,
  /** With `ownerAddress`: only what it owns alone (single), or as one of many holders (token). Without it: the ownership model. Null: both. */
  ownerType?: OwnershipModel | null | undefined,
  /** A creator that the asset lists, verified or not. Null: any. */
  creatorAddress?: Address | null | undefined,
  /** Whether that creator has signed; without `creatorAddress`, whether any creator has. Null: both. */
  creatorVerified?: boolean | null | undefined,
  /** The update authority of the asset. Null: any. */
  authorityAddress?: Address | null | undefined,
  /** A pair of key and value. The key is `collection`, or `group` for a group of MPL Core; the value is its address. Only verified members match, unless `options.showUnverifiedCollections`. Null: any group or none. */
  grouping?: GroupingPair | null | undefined,
  /** The approved delegate of the asset. Null: any or none. */
  delegateAddress?: Address | null | undefined,
  /** Whether the asset is frozen, so that its owner cannot move it. Null: both. */
  frozen?: boolean | null | undefined,
  /** Exact supply in raw units, 0 to 2^64 - 1. Null: any. */
  supply?: number | bigint | null | undefined,
  /** Address of the token mint behind the asset. Null: any. */
  supplyMint?: Address | null | undefined,
  /** Whether the asset is a leaf of a Merkle tree. Null: both. */
  compressed?: boolean | null | undefined,
  /** Whether the asset could be compressed. Null: both. */
  compressible?: boolean | null | undefined,
  /** Royalty model. Null: any. */
  royaltyTargetType?: RoyaltyModel | null | undefined,
  /** A creator with a share above 0. Null: any. */
  royaltyTarget?: Address | null | undefined,
  /** Exact royalty in basis points: 500 is 5 %. Null: any. */
  royaltyAmount?: number | bigint | null | undefined,
  /** Whether the asset is burnt. Null: both. */
  burnt?: boolean | null | undefined,
  /** Order of the answer. Null: by id, descending. */
  sortBy?: SortBy | null | undefined,
  /** Assets of the answer, 1 to 1000. Null: 100. */
  limit?: number | null | undefined,
  /** Number of the page, from 1 on. Null: page 1, unless `cursor`, `before` or `after` is given. */
  page?: number | null | undefined,
  /** The page directly before the asset with this id, which is not listed. Null: not used. */
  before?: Address | null | undefined,
  /** The page that follows the asset with this id, which is not listed. Null: not used. */
  after?: Address | null | undefined,
  /** Exact URI of the off-chain JSON, up to 200 characters on the chain. Null: any. */
  jsonUri?: string | null | undefined,
];

/** Positional arguments of getTokenAccountsByDelegate. */
export type GetTokenAccountsByDelegatePositions = [
  /** Address of the delegate. */
  address: Address,
  /** Which token accounts: those of one `mint`, or of one token program, `programId`. */
  accountDetails: TokenAccountFilter,
  /** Bank, encoding and part of the data. Null: finalized, base64, all data. */
  config?: AccountConfig | null | undefined,
];

/** Positional arguments of getAccountInfo. */
export type GetAccountInfoPositions = [
  /** Address of the account. */
  address: Address,
  /** Bank, encoding and part of the data. Null: finalized, base64, all data. */
  config?: AccountConfig | null | undefined,
];

/** Positional arguments of getAsset. */
export type GetAssetPositions = [
  /** Id of the asset: the mint, the MPL Core account, or the id of a compressed asset. */
  id: Address,
  /** Additional members of the document. Null: none. */
  config?: DisplayOptions | null | undefined,
];

/** Positional arguments of getTokenSupply. */
export type GetTokenSupplyPositions = [
  /** Address of a mint of Token or Token-2022. */
  pubKey: Address,
  /** Which bank to read. Null: finalized. */
  config?: TokenSupplyConfig | null | undefined,
];

/** Positional arguments of getLargestAccounts. */
export type GetLargestAccountsPositions = [
  /** Which accounts, and from which bank. Null: all accounts, finalized. */
  config?: LargestAccountsConfig | null | undefined,
];

/** Positional arguments of every method; null or undefined = not used. */
export interface MethodPositions {
  getNftEditions: GetNftEditionsPositions;
  searchAssets: SearchAssetsPositions;
  getTokenAccountsByDelegate: GetTokenAccountsByDelegatePositions;
  getAccountInfo: GetAccountInfoPositions;
  getAsset: GetAssetPositions;
  getTokenSupply: GetTokenSupplyPositions;
  getLargestAccounts: GetLargestAccountsPositions;
}

/** One function per method, called with positions or with one object of names. */
export interface Methods {
  /** Lists all printed editions of a master edition NFT mint. */
  getNftEditions(...positions: GetNftEditionsPositions): Promise<GetNftEditionsResult>;
  /** Lists all printed editions of a master edition NFT mint. */
  getNftEditions(named: GetNftEditionsParams): Promise<GetNftEditionsResult>;
  /** Lists the assets that match search criteria. */
  searchAssets(...positions: SearchAssetsPositions): Promise<SearchAssetsResult>;
  /** Lists the assets that match search criteria. */
  searchAssets(named: SearchAssetsParams): Promise<SearchAssetsResult>;
  /** Lists the token accounts for which a delegate is approved. */
  getTokenAccountsByDelegate(...positions: GetTokenAccountsByDelegatePositions): Promise<GetTokenAccountsByDelegateResult>;
  /** Lists the token accounts for which a delegate is approved. */
  getTokenAccountsByDelegate(named: GetTokenAccountsByDelegateParams): Promise<GetTokenAccountsByDelegateResult>;
  /** Returns the information held for one account address. */
  getAccountInfo(...positions: GetAccountInfoPositions): Promise<GetAccountInfoResult>;
  /** Returns the information held for one account address. */
  getAccountInfo(named: GetAccountInfoParams): Promise<GetAccountInfoResult>;
  /** Returns the metadata of a compressed or standard asset. */
  getAsset(...positions: GetAssetPositions): Promise<GetAssetResult>;
  /** Returns the metadata of a compressed or standard asset. */
  getAsset(named: GetAssetParams): Promise<GetAssetResult>;
  /** Returns the total supply of a token mint. */
  getTokenSupply(...positions: GetTokenSupplyPositions): Promise<GetTokenSupplyResult>;
  /** Returns the total supply of a token mint. */
  getTokenSupply(named: GetTokenSupplyParams): Promise<GetTokenSupplyResult>;
  /** Returns the 20 accounts with the largest lamport balance. */
  getLargestAccounts(...positions: GetLargestAccountsPositions): Promise<GetLargestAccountsResult>;
  /** Returns the 20 accounts with the largest lamport balance. */
  getLargestAccounts(named: GetLargestAccountsParams): Promise<GetLargestAccountsResult>;
}

/** Parameter names of a method, positional ones first. */
export interface MethodShape {
  readonly names: readonly string[];
  /** Whether the first position may hold an object, which is then not mistaken for named arguments. */
  readonly isObjectFirst: boolean;
}

export const methodShapes: { readonly [name in MethodName]: MethodShape } = {
  "getNftEditions": {
    "names": [
      "mint",
      "page",
      "limit",
      "cursor",
      "before",
      "after",
      "minContextSlot"
    ],
    "isObjectFirst": false
  },
  "searchAssets": {
    "names": [
      "negate",
      "conditionType",
      "interface",
      "ownerAddress",
      "ownerType",
      "creatorAddress",
      "creatorVerified",
      "authorityAddress",
      "grouping",
      "delegateAddress",
      "frozen",
      "supply",
      "supplyMint",
      "compressed",
      "compressible",
      "royaltyTargetType",
      "royaltyTarget",
      "royaltyAmount",
      "burnt",
      "sortBy",
      "limit",
      "page",
      "before",
      "after",
      "jsonUri",
      "tokenType",
      "cursor",
      "name",
      "tree",
      "options",
      "minContextSlot"
    ],
    "isObjectFirst": false
  },
  "getTokenAccountsByDelegate": {
    "names": [
      "address",
      "accountDetails",
      "config"
    ],
    "isObjectFirst": false
  },
  "getAccountInfo": {
    "names": [
      "address",
      "config"
    ],
    "isObjectFirst": false
  },
  "getAsset": {
    "names": [
      "id",
      "config",
      "minContextSlot"
    ],
    "isObjectFirst": false
  },
  "getTokenSupply": {
    "names": [
      "pubKey",
      "config"
    ],
    "isObjectFirst": false
  },
  "getLargestAccounts": {
    "names": [
      "config"
    ],
    "isObjectFirst": true
  }
};
