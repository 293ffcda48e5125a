// Generated from openrpc.json by tools/codegen. Do not edit: run `pnpm generate`.

import type {
  GetAccountInfoParams,
  GetAssetParams,
  GetLargestAccountsParams,
  GetNftEditionsParams,
  GetTokenAccountsByDelegateParams,
  GetTokenSupplyParams,
  SearchAssetsParams,
} from "@lamplight/contract";

/** Answers one call with the finished JSON text of its result. */
export type Handler<Params, Context> = (params: Params, context: Context) => Promise<string>;

/** What a server must be able to answer. */
export interface MethodTable<Context> {
  /** Lists all printed editions of a master edition NFT mint. */
  readonly getNftEditions: Handler<GetNftEditionsParams, Context>;
  /** Lists the assets that match search criteria. */
  readonly searchAssets: Handler<SearchAssetsParams, Context>;
  /** Lists the token accounts for which a delegate is approved. */
  readonly getTokenAccountsByDelegate: Handler<GetTokenAccountsByDelegateParams, Context>;
  /** Returns the information held for one account address. */
  readonly getAccountInfo: Handler<GetAccountInfoParams, Context>;
  /** Returns the metadata of a compressed or standard asset. */
  readonly getAsset: Handler<GetAssetParams, Context>;
  /** Returns the total supply of a token mint. */
  readonly getTokenSupply: Handler<GetTokenSupplyParams, Context>;
  /** Returns the 20 accounts with the largest lamport balance. */
  readonly getLargestAccounts: Handler<GetLargestAccountsParams, Context>;
}

export const methodNames = ["getNftEditions","searchAssets","getTokenAccountsByDelegate","getAccountInfo","getAsset","getTokenSupply","getLargestAccounts"] as const satisfies readonly (keyof MethodTable<unknown>)[];
