// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type {
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
  SearchAssetsParams,
  SearchAssetsResult,
} from "@lamplight/contract";
import type { Method } from "@lamplight/core";

/** The methods that a server must be able to answer. */
export interface MethodTable {
  /** Lists all printed editions of a master edition NFT mint. */
  readonly getNftEditions: Method<GetNftEditionsParams, GetNftEditionsResult>;
  /** Lists the assets that match search criteria. */
  readonly searchAssets: Method<SearchAssetsParams, SearchAssetsResult>;
  /** Lists the token accounts for which a delegate is approved. */
  readonly getTokenAccountsByDelegate: Method<GetTokenAccountsByDelegateParams, GetTokenAccountsByDelegateResult>;
  /** Returns the information held for one account address. */
  readonly getAccountInfo: Method<GetAccountInfoParams, GetAccountInfoResult>;
  /** Returns the metadata of a compressed or standard asset. */
  readonly getAsset: Method<GetAssetParams, GetAssetResult>;
  /** Returns the total supply of a token mint. */
  readonly getTokenSupply: Method<GetTokenSupplyParams, GetTokenSupplyResult>;
  /** Returns the 20 accounts with the largest lamport balance. */
  readonly getLargestAccounts: Method<GetLargestAccountsParams, GetLargestAccountsResult>;
}
