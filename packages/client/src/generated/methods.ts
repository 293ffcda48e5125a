// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type { Reply, Walk, WalkOptions } from "../call/answer.ts";
import type { MethodShape } from "../call/method-shape.ts";
import type { AddressLike, IntegerMode } from "../types/values.ts";
import type {
  AccountConfig,
  Address,
  Asset,
  AssetInterface,
  ConditionType,
  DisplayOptions,
  Edition,
  Encoding,
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
  Royalty,
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
  mint: AddressLike,
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
  ownerAddress?: AddressLike | null | undefined,
  /** With `ownerAddress`: only what it owns alone (single), or as one of many holders (token). Without it: the ownership model. Null: both. */
  ownerType?: OwnershipModel | null | undefined,
  /** A creator that the asset lists, verified or not. Null: any. */
  creatorAddress?: AddressLike | null | undefined,
  /** Whether that creator has signed; without `creatorAddress`, whether any creator has. Null: both. */
  creatorVerified?: boolean | null | undefined,
  /** The update authority of the asset. Null: any. */
  authorityAddress?: AddressLike | null | undefined,
  /** A pair of key and value. The key is `collection`, or `group` for a group of MPL Core; the value is its address. Only verified members match, unless `options.showUnverifiedCollections`. Null: any group or none. */
  grouping?: GroupingPair | null | undefined,
  /** The approved delegate of the asset. Null: any or none. */
  delegateAddress?: AddressLike | null | undefined,
  /** Whether the asset is frozen, so that its owner cannot move it. Null: both. */
  frozen?: boolean | null | undefined,
  /** Exact supply in raw units, 0 to 2^64 - 1. Null: any. */
  supply?: number | bigint | null | undefined,
  /** Address of the token mint behind the asset. Null: any. */
  supplyMint?: AddressLike | null | undefined,
  /** Whether the asset is a leaf of a Merkle tree. Null: both. */
  compressed?: boolean | null | undefined,
  /** Whether the asset could be compressed. Null: both. */
  compressible?: boolean | null | undefined,
  /** Royalty model. Null: any. */
  royaltyTargetType?: RoyaltyModel | null | undefined,
  /** A creator with a share above 0. Null: any. */
  royaltyTarget?: AddressLike | null | undefined,
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
  before?: AddressLike | null | undefined,
  /** The page that follows the asset with this id, which is not listed. Null: not used. */
  after?: AddressLike | null | undefined,
  /** Exact URI of the off-chain JSON, up to 200 characters on the chain. Null: any. */
  jsonUri?: string | null | undefined,
];

/** Positional arguments of getTokenAccountsByDelegate. */
export type GetTokenAccountsByDelegatePositions = [
  /** Address of the delegate. */
  address: AddressLike,
  /** Which token accounts: those of one `mint`, or of one token program, `programId`. */
  accountDetails: TokenAccountFilter,
  /** Bank, encoding and part of the data. Null: finalized, base64, all data. */
  config?: AccountConfig | null | undefined,
];

/** Positional arguments of getAccountInfo. */
export type GetAccountInfoPositions = [
  /** Address of the account. */
  address: AddressLike,
  /** Bank, encoding and part of the data. Null: finalized, base64, all data. */
  config?: AccountConfig | null | undefined,
];

/** Positional arguments of getAsset. */
export type GetAssetPositions = [
  /** Id of the asset: the mint, the MPL Core account, or the id of a compressed asset. */
  id: AddressLike,
  /** Additional members of the document. Null: none. */
  config?: DisplayOptions | null | undefined,
];

/** Positional arguments of getTokenSupply. */
export type GetTokenSupplyPositions = [
  /** Address of a mint of Token or Token-2022. */
  pubKey: AddressLike,
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
  /** Lists all printed editions of a master edition NFT mint. */
  getNftEditions: GetNftEditionsPositions;
  /** Lists the assets that match search criteria. */
  searchAssets: SearchAssetsPositions;
  /** Lists the token accounts for which a delegate is approved. */
  getTokenAccountsByDelegate: GetTokenAccountsByDelegatePositions;
  /** Returns the information held for one account address. */
  getAccountInfo: GetAccountInfoPositions;
  /** Returns the metadata of a compressed or standard asset. */
  getAsset: GetAssetPositions;
  /** Returns the total supply of a token mint. */
  getTokenSupply: GetTokenSupplyPositions;
  /** Returns the 20 accounts with the largest lamport balance. */
  getLargestAccounts: GetLargestAccountsPositions;
}

/**
 * One function per method, called with one object of names, or with positions in the order of the specification.
 * A single signature for both, so that the compiler names a misspelt member in one line.
 */
export interface Methods<I extends IntegerMode = "amounts", M extends boolean = false> {
  /** Lists all printed editions of a master edition NFT mint. */
  readonly getNftEditions: {
    (mint: GetNftEditionsParams | AddressLike, page?: number | null | undefined, limit?: number | null | undefined, cursor?: string | null | undefined, before?: string | null | undefined, after?: string | null | undefined): Promise<Reply<GetNftEditionsResult<I>, M>>;
    /** Every item of every page, in order: `for await (const item of client.getNftEditions.all(…))`. */
    all(mint: Omit<GetNftEditionsParams, "before"> | AddressLike, options?: WalkOptions): Walk<Edition<I>, GetNftEditionsResult<I>>;
  };
  /** Lists the assets that match search criteria. */
  readonly searchAssets: {
    (negate?: SearchAssetsParams | boolean | null | undefined, conditionType?: ConditionType | null | undefined, interface_?: AssetInterface | null | undefined, ownerAddress?: AddressLike | null | undefined, ownerType?: OwnershipModel | null | undefined, creatorAddress?: AddressLike | null | undefined, creatorVerified?: boolean | null | undefined, authorityAddress?: AddressLike | null | undefined, grouping?: GroupingPair | null | undefined, delegateAddress?: AddressLike | null | undefined, frozen?: boolean | null | undefined, supply?: number | bigint | null | undefined, supplyMint?: AddressLike | null | undefined, compressed?: boolean | null | undefined, compressible?: boolean | null | undefined, royaltyTargetType?: RoyaltyModel | null | undefined, royaltyTarget?: AddressLike | null | undefined, royaltyAmount?: number | bigint | null | undefined, burnt?: boolean | null | undefined, sortBy?: SortBy | null | undefined, limit?: number | null | undefined, page?: number | null | undefined, before?: AddressLike | null | undefined, after?: AddressLike | null | undefined, jsonUri?: string | null | undefined): Promise<Reply<SearchAssetsResult<I>, M>>;
    /** Every item of every page, in order: `for await (const item of client.searchAssets.all(…))`. */
    all(named?: Omit<SearchAssetsParams, "before">, options?: WalkOptions): Walk<Asset<I>, SearchAssetsResult<I>>;
  };
  /** Lists the token accounts for which a delegate is approved. */
  getTokenAccountsByDelegate<const E extends Encoding = "base64">(named: GetTokenAccountsByDelegateParams<E>): Promise<Reply<GetTokenAccountsByDelegateResult<E, I>, M>>;
  /** Lists the token accounts for which a delegate is approved. */
  getTokenAccountsByDelegate<const E extends Encoding = "base64">(address: AddressLike, accountDetails: TokenAccountFilter, config?: AccountConfig<E> | null | undefined): Promise<Reply<GetTokenAccountsByDelegateResult<E, I>, M>>;
  /** Returns the information held for one account address. */
  getAccountInfo<const E extends Encoding = "base64">(address: GetAccountInfoParams<E> | AddressLike, config?: AccountConfig<E> | null | undefined): Promise<Reply<GetAccountInfoResult<E, I>, M>>;
  /** Returns the metadata of a compressed or standard asset. */
  getAsset(id: GetAssetParams | AddressLike, config?: DisplayOptions | null | undefined): Promise<Reply<GetAssetResult<I>, M>>;
  /** Returns the total supply of a token mint. */
  getTokenSupply(pubKey: GetTokenSupplyParams | AddressLike, config?: TokenSupplyConfig | null | undefined): Promise<Reply<GetTokenSupplyResult, M>>;
  /** Returns the 20 accounts with the largest lamport balance. */
  getLargestAccounts(config?: GetLargestAccountsParams | LargestAccountsConfig | null | undefined): Promise<Reply<GetLargestAccountsResult<I>, M>>;
}

/** The shape of every method by its wire name. */
export const methodShapes: { readonly [name in MethodName]: MethodShape } = {
  "getNftEditions": {
    "pages": [
      "editions",
      "mint"
    ]
  },
  "searchAssets": {
    "pages": [
      "items",
      "negate"
    ]
  },
  "getTokenAccountsByDelegate": {},
  "getAccountInfo": {},
  "getAsset": {},
  "getTokenSupply": {},
  "getLargestAccounts": {
    "names": [
      "config"
    ]
  }
};
