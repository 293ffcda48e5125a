import { methodTable } from "@lamplight/core";

/** The methods that only the DAS contract has, by name, so that a server without DAS need not load its package. */
const dasOnlyMethods: readonly string[] = [
  "getAssetBatch",
  "getAssetProof",
  "getAssetProofBatch",
  "getAssetProofs",
  "getAssets",
  "getAssetsByAuthority",
  "getAssetsByCreator",
  "getAssetsByGroup",
  "getAssetsByOwner",
  "getGrouping",
  "getTokenAccounts",
];

/** The methods that a key can be allowed. */
export const meteredMethods: readonly string[] = [
  ...Object.keys(methodTable),
  ...dasOnlyMethods,
  "rpc.discover",
];

/** Names by which calls are counted: the methods, and `other` for what is none. */
export const meteredNames: readonly string[] = [...meteredMethods, "other"];

/** Cost units of one call, by method. */
export type KeyCosts = Readonly<Record<string, number>>;

/**
 * Processor time of a call, with `getAccountInfo` as 1, in whole units. `npm run bench -- costs` measures and prints it. A
 * list is counted with its default limit. That of `rpc.discover` is set by hand: its answer is the largest. So are those of the
 * DAS methods: their default limit is ten times that of `searchAssets`, and proofs are hashed, up to 100 a call. A call of a name
 * that both contracts have costs the same.
 */
export const defaultCosts: KeyCosts = {
  getAccountInfo: 1,
  getAsset: 1,
  getAssetBatch: 30,
  getAssetProof: 4,
  getAssetProofBatch: 300,
  getAssetProofs: 300,
  getAssets: 30,
  getAssetsByAuthority: 30,
  getAssetsByCreator: 30,
  getAssetsByGroup: 30,
  getAssetsByOwner: 30,
  getGrouping: 3,
  getLargestAccounts: 2,
  getNftEditions: 4,
  getTokenAccounts: 30,
  getTokenAccountsByDelegate: 2,
  getTokenSupply: 1,
  "rpc.discover": 10,
  searchAssets: 3,
  other: 1,
};
