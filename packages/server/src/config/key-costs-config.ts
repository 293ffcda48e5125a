/**
 * Cost units of one call, by method, of which keys of a key store may use so many a second and a day; 0 = free. The defaults are
 * measured: see the bench `costs`.
 */
export interface KeyCostsConfig {
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getAccountInfo?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getAsset?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getAssetBatch?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getAssetProof?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getAssetProofBatch?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getAssetProofs?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getAssets?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getAssetsByAuthority?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getAssetsByCreator?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getAssetsByGroup?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getAssetsByOwner?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getGrouping?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getLargestAccounts?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getNftEditions?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getTokenAccounts?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getTokenAccountsByDelegate?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  getTokenSupply?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  searchAssets?: number;
  /**
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  "rpc.discover"?: number;
  /**
   * Anything that is no method.
   * @TJS-type integer
   * @minimum 0
   * @maximum 10000
   */
  other?: number;
}
