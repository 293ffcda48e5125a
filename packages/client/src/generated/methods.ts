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
  /** Page, from 1 on. */
  page?: number | null | undefined,
  /** Results per page, 1 to 1000; default 100. */
  limit?: number | null | undefined,
  /** The `cursor` of an earlier answer: the page after it. An edition number, mint or edition address is accepted too. At most one of `page`, `before`, `after` and `cursor` is accepted. */
  cursor?: string | null | undefined,
  /** The page directly before this edition number, mint or edition address. */
  before?: string | null | undefined,
  /** The page that follows this edition number, mint or edition address. */
  after?: string | null | undefined,
];

/** Positional arguments of searchAssets. */
export type SearchAssetsPositions = [
  /** Inverts the whole group of criteria. */
  negate?: boolean | null | undefined,
  /** Whether all criteria must match (default) or any. */
  conditionType?: ConditionType | null | undefined,
  /** Kind of asset. */
  interface_?: AssetInterface | null | undefined,
  /** Owner, or holder of a positive amount. */
  ownerAddress?: Address | null | undefined,
  /** Restricts ownerAddress; without it, the ownership model. */
  ownerType?: OwnershipModel | null | undefined,
  /** A creator. */
  creatorAddress?: Address | null | undefined,
  /** Whether that creator is verified; without creatorAddress, whether any creator is. */
  creatorVerified?: boolean | null | undefined,
  /** Authority. */
  authorityAddress?: Address | null | undefined,
  /** A group (key, value) pair: the key is collection or group (an MPL Core group), the value its address. */
  grouping?: GroupingPair | null | undefined,
  /** Delegate. */
  delegateAddress?: Address | null | undefined,
  /** Whether the asset is frozen. */
  frozen?: boolean | null | undefined,
  /** Supply of the asset. */
  supply?: number | bigint | null | undefined,
  /** Token mint behind the asset. */
  supplyMint?: Address | null | undefined,
  /** Whether the asset is compressed. */
  compressed?: boolean | null | undefined,
  /** Whether the asset is compressible. */
  compressible?: boolean | null | undefined,
  /** Royalty model. */
  royaltyTargetType?: RoyaltyModel | null | undefined,
  /** A creator that receives a share. */
  royaltyTarget?: Address | null | undefined,
  /** Royalty in basis points. */
  royaltyAmount?: number | bigint | null | undefined,
  /** Whether the asset is burnt. */
  burnt?: boolean | null | undefined,
  /** Order of the answer. */
  sortBy?: SortBy | null | undefined,
  /** Assets per page, 1 to 1000; default 100. */
  limit?: number | null | undefined,
  /** Page, from 1 on. */
  page?: number | null | undefined,
  /** The page directly before this asset. */
  before?: Address | null | undefined,
  /** The page that follows this asset. */
  after?: Address | null | undefined,
  /** URI of the off-chain JSON. */
  jsonUri?: string | null | undefined,
];

/** Positional arguments of getTokenAccountsByDelegate. */
export type GetTokenAccountsByDelegatePositions = [
  /** The delegate. */
  address: Address,
  /** A mint, or a token program. */
  accountDetails: TokenAccountFilter,
  /** How to read accounts. */
  config?: AccountConfig | null | undefined,
];

/** Positional arguments of getAccountInfo. */
export type GetAccountInfoPositions = [
  /** The account. */
  address: Address,
  /** How to read the account. */
  config?: AccountConfig | null | undefined,
];

/** Positional arguments of getAsset. */
export type GetAssetPositions = [
  /** The asset. */
  id: Address,
  /** Additional members of the asset document. */
  config?: DisplayOptions | null | undefined,
];

/** Positional arguments of getTokenSupply. */
export type GetTokenSupplyPositions = [
  /** The mint. */
  pubKey: Address,
  /** How to read the supply. */
  config?: TokenSupplyConfig | null | undefined,
];

/** Positional arguments of getLargestAccounts. */
export type GetLargestAccountsPositions = [
  /** Which accounts, and from which bank. */
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
