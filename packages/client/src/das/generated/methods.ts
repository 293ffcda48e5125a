// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type { Reply, Walk, WalkOptions } from "../../call/answer.ts";
import type { MethodShape } from "../../call/method-shape.ts";
import type { Asset, SearchAssetsResult } from "../../generated/types.ts";
import type { IntegerMode } from "../../types/values.ts";
import type {
  DasMethodName,
  GetAssetBatchParams,
  GetAssetBatchResult,
  GetAssetParams,
  GetAssetProofBatchParams,
  GetAssetProofBatchResult,
  GetAssetProofParams,
  GetAssetProofResult,
  GetAssetProofsParams,
  GetAssetProofsResult,
  GetAssetResult,
  GetAssetsByAuthorityParams,
  GetAssetsByAuthorityResult,
  GetAssetsByCreatorParams,
  GetAssetsByCreatorResult,
  GetAssetsByGroupParams,
  GetAssetsByGroupResult,
  GetAssetsByOwnerParams,
  GetAssetsByOwnerResult,
  GetAssetsParams,
  GetAssetsResult,
  GetGroupingParams,
  GetGroupingResult,
  GetNftEditionsParams,
  GetNftEditionsResult,
  GetTokenAccountsParams,
  GetTokenAccountsResult,
  PrintedEdition,
  SearchAssetsParams,
  TokenAccount,
} from "./types.ts";

/** One function per method, called with one object of names. */
export interface DasMethods<I extends IntegerMode = "amounts", M extends boolean = false> {
  /** Returns the document of one asset. */
  getAsset(named: GetAssetParams): Promise<Reply<GetAssetResult<I>, M>>;
  /** Returns the documents of several assets. */
  getAssets(named: GetAssetsParams): Promise<Reply<GetAssetsResult<I>, M>>;
  /** Returns the documents of several assets. */
  getAssetBatch(named: GetAssetBatchParams): Promise<Reply<GetAssetBatchResult<I>, M>>;
  /** Returns the merkle proof of a compressed asset. */
  getAssetProof(named: GetAssetProofParams): Promise<Reply<GetAssetProofResult, M>>;
  /** Returns the merkle proofs of several compressed assets. */
  getAssetProofs(named: GetAssetProofsParams): Promise<Reply<GetAssetProofsResult, M>>;
  /** Returns the merkle proofs of several compressed assets. */
  getAssetProofBatch(named: GetAssetProofBatchParams): Promise<Reply<GetAssetProofBatchResult, M>>;
  /** Lists the assets of a wallet. */
  readonly getAssetsByOwner: {
    (named: GetAssetsByOwnerParams): Promise<Reply<GetAssetsByOwnerResult<I>, M>>;
    /** Every item of every page, in order: `for await (const item of client.getAssetsByOwner.all(…))`. */
    all(named: Omit<GetAssetsByOwnerParams, "before">, options?: WalkOptions): Walk<Asset<I>, GetAssetsByOwnerResult<I>>;
  };
  /** Lists the assets that name a creator. */
  readonly getAssetsByCreator: {
    (named: GetAssetsByCreatorParams): Promise<Reply<GetAssetsByCreatorResult<I>, M>>;
    /** Every item of every page, in order: `for await (const item of client.getAssetsByCreator.all(…))`. */
    all(named: Omit<GetAssetsByCreatorParams, "before">, options?: WalkOptions): Walk<Asset<I>, GetAssetsByCreatorResult<I>>;
  };
  /** Lists the assets of an update authority. */
  readonly getAssetsByAuthority: {
    (named: GetAssetsByAuthorityParams): Promise<Reply<GetAssetsByAuthorityResult<I>, M>>;
    /** Every item of every page, in order: `for await (const item of client.getAssetsByAuthority.all(…))`. */
    all(named: Omit<GetAssetsByAuthorityParams, "before">, options?: WalkOptions): Walk<Asset<I>, GetAssetsByAuthorityResult<I>>;
  };
  /** Lists the assets of a group. */
  readonly getAssetsByGroup: {
    (named: GetAssetsByGroupParams): Promise<Reply<GetAssetsByGroupResult<I>, M>>;
    /** Every item of every page, in order: `for await (const item of client.getAssetsByGroup.all(…))`. */
    all(named: Omit<GetAssetsByGroupParams, "before">, options?: WalkOptions): Walk<Asset<I>, GetAssetsByGroupResult<I>>;
  };
  /** Returns name and size of a group. */
  getGrouping(named: GetGroupingParams): Promise<Reply<GetGroupingResult, M>>;
  /** Lists the assets that match search criteria. */
  readonly searchAssets: {
    (named?: SearchAssetsParams): Promise<Reply<SearchAssetsResult<I>, M>>;
    /** Every item of every page, in order: `for await (const item of client.searchAssets.all(…))`. */
    all(named?: Omit<SearchAssetsParams, "before">, options?: WalkOptions): Walk<Asset<I>, SearchAssetsResult<I>>;
  };
  /** Lists the token accounts of a wallet, or the holders of a token. */
  readonly getTokenAccounts: {
    (named?: GetTokenAccountsParams): Promise<Reply<GetTokenAccountsResult<I>, M>>;
    /** Every item of every page, in order: `for await (const item of client.getTokenAccounts.all(…))`. */
    all(named?: Omit<GetTokenAccountsParams, "before">, options?: WalkOptions): Walk<TokenAccount<I>, GetTokenAccountsResult<I>>;
  };
  /** Lists the printed editions of a master edition NFT. */
  readonly getNftEditions: {
    (named: GetNftEditionsParams): Promise<Reply<GetNftEditionsResult<I>, M>>;
    /** Every item of every page, in order: `for await (const item of client.getNftEditions.all(…))`. */
    all(named: Omit<GetNftEditionsParams, "before">, options?: WalkOptions): Walk<PrintedEdition<I>, GetNftEditionsResult<I>>;
  };
}

/** The shape of every method by its wire name. */
export const dasMethodShapes: { readonly [name in DasMethodName]: MethodShape } = {
  "getAsset": {},
  "getAssets": {},
  "getAssetBatch": {},
  "getAssetProof": {},
  "getAssetProofs": {},
  "getAssetProofBatch": {},
  "getAssetsByOwner": {
    "pages": [
      "items",
      "ownerAddress"
    ]
  },
  "getAssetsByCreator": {
    "pages": [
      "items",
      "creatorAddress"
    ]
  },
  "getAssetsByAuthority": {
    "pages": [
      "items",
      "authorityAddress"
    ]
  },
  "getAssetsByGroup": {
    "pages": [
      "items",
      "groupKey"
    ]
  },
  "getGrouping": {},
  "searchAssets": {
    "pages": [
      "items",
      "negate"
    ]
  },
  "getTokenAccounts": {
    "pages": [
      "token_accounts",
      "ownerAddress"
    ]
  },
  "getNftEditions": {
    "pages": [
      "editions",
      "mintAddress"
    ]
  }
};
