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
import type { FinishedJson, MaybePromise } from "@lamplight/core";

/** Answers one call with the finished JSON of its result. */
export type Handler<Params, Result, Context> = (params: Params, context: Context) => MaybePromise<FinishedJson<Result>>;

/** What a server must be able to answer. */
export interface MethodTable<Context> {
  /** Lists all printed editions of a master edition NFT mint. */
  readonly getNftEditions: Handler<GetNftEditionsParams, GetNftEditionsResult, Context>;
  /** Lists the assets that match search criteria. */
  readonly searchAssets: Handler<SearchAssetsParams, SearchAssetsResult, Context>;
  /** Lists the token accounts for which a delegate is approved. */
  readonly getTokenAccountsByDelegate: Handler<GetTokenAccountsByDelegateParams, GetTokenAccountsByDelegateResult, Context>;
  /** Returns the information held for one account address. */
  readonly getAccountInfo: Handler<GetAccountInfoParams, GetAccountInfoResult, Context>;
  /** Returns the metadata of a compressed or standard asset. */
  readonly getAsset: Handler<GetAssetParams, GetAssetResult, Context>;
  /** Returns the total supply of a token mint. */
  readonly getTokenSupply: Handler<GetTokenSupplyParams, GetTokenSupplyResult, Context>;
  /** Returns the 20 accounts with the largest lamport balance. */
  readonly getLargestAccounts: Handler<GetLargestAccountsParams, GetLargestAccountsResult, Context>;
}
