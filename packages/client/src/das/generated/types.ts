// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type { IntegerMode } from "../../types/values.ts";
import type { Asset, SearchAssetsResult } from "../../generated/types.ts";
import type { AssetOrNullList, AssetProof, AssetProofs, EditionPage, Grouping, TokenAccountPage, GetAssetParams, GetAssetsParams, GetAssetBatchParams, GetAssetProofParams, GetAssetProofsParams, GetAssetProofBatchParams, GetAssetsByOwnerParams, GetAssetsByCreatorParams, GetAssetsByAuthorityParams, GetAssetsByGroupParams, GetGroupingParams, SearchAssetsParams, GetTokenAccountsParams, GetNftEditionsParams } from "./values.ts";

export type * from "./values.ts";

/** Returns the document of one asset. */
export type GetAssetResult<I extends IntegerMode = "amounts"> = Asset<I>;
/** Returns the documents of several assets. */
export type GetAssetsResult<I extends IntegerMode = "amounts"> = AssetOrNullList<I>;
/** Returns the documents of several assets. */
export type GetAssetBatchResult<I extends IntegerMode = "amounts"> = AssetOrNullList<I>;
/** Returns the merkle proof of a compressed asset. */
export type GetAssetProofResult = AssetProof;
/** Returns the merkle proofs of several compressed assets. */
export type GetAssetProofsResult = AssetProofs;
/** Returns the merkle proofs of several compressed assets. */
export type GetAssetProofBatchResult = AssetProofs;
/** Lists the assets of a wallet. */
export type GetAssetsByOwnerResult<I extends IntegerMode = "amounts"> = SearchAssetsResult<I>;
/** Lists the assets that name a creator. */
export type GetAssetsByCreatorResult<I extends IntegerMode = "amounts"> = SearchAssetsResult<I>;
/** Lists the assets of an update authority. */
export type GetAssetsByAuthorityResult<I extends IntegerMode = "amounts"> = SearchAssetsResult<I>;
/** Lists the assets of a group. */
export type GetAssetsByGroupResult<I extends IntegerMode = "amounts"> = SearchAssetsResult<I>;
/** Returns name and size of a group. */
export type GetGroupingResult = Grouping;
/** Lists the token accounts of a wallet, or the holders of a token. */
export type GetTokenAccountsResult<I extends IntegerMode = "amounts"> = TokenAccountPage<I>;
/** Lists the printed editions of a master edition NFT. */
export type GetNftEditionsResult<I extends IntegerMode = "amounts"> = EditionPage<I>;

/** Every method by its wire name. */
export interface DasMethodTypes<I extends IntegerMode = "amounts"> {
  /** Returns the document of one asset. */
  getAsset: { params: GetAssetParams; result: GetAssetResult<I> };
  /** Returns the documents of several assets. */
  getAssets: { params: GetAssetsParams; result: GetAssetsResult<I> };
  /** Returns the documents of several assets. */
  getAssetBatch: { params: GetAssetBatchParams; result: GetAssetBatchResult<I> };
  /** Returns the merkle proof of a compressed asset. */
  getAssetProof: { params: GetAssetProofParams; result: GetAssetProofResult };
  /** Returns the merkle proofs of several compressed assets. */
  getAssetProofs: { params: GetAssetProofsParams; result: GetAssetProofsResult };
  /** Returns the merkle proofs of several compressed assets. */
  getAssetProofBatch: { params: GetAssetProofBatchParams; result: GetAssetProofBatchResult };
  /** Lists the assets of a wallet. */
  getAssetsByOwner: { params: GetAssetsByOwnerParams; result: GetAssetsByOwnerResult<I> };
  /** Lists the assets that name a creator. */
  getAssetsByCreator: { params: GetAssetsByCreatorParams; result: GetAssetsByCreatorResult<I> };
  /** Lists the assets of an update authority. */
  getAssetsByAuthority: { params: GetAssetsByAuthorityParams; result: GetAssetsByAuthorityResult<I> };
  /** Lists the assets of a group. */
  getAssetsByGroup: { params: GetAssetsByGroupParams; result: GetAssetsByGroupResult<I> };
  /** Returns name and size of a group. */
  getGrouping: { params: GetGroupingParams; result: GetGroupingResult };
  /** Lists the assets that match search criteria. */
  searchAssets: { params: SearchAssetsParams; result: SearchAssetsResult<I> };
  /** Lists the token accounts of a wallet, or the holders of a token. */
  getTokenAccounts: { params: GetTokenAccountsParams; result: GetTokenAccountsResult<I> };
  /** Lists the printed editions of a master edition NFT. */
  getNftEditions: { params: GetNftEditionsParams; result: GetNftEditionsResult<I> };
}

/** Wire name of a method. */
export type DasMethodName = keyof DasMethodTypes;
