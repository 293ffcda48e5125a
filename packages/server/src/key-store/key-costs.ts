import { methodTable } from "@lamplight/core";

/** Names by which calls are counted: the methods, and `other` for what is none. */
export const meteredNames: readonly string[] = [...Object.keys(methodTable), "rpc.discover", "other"];

/** Cost units of one call, by method. */
export type KeyCosts = Readonly<Record<string, number>>;

/**
 * Processor time of a call, with `getAccountInfo` as 1, in whole units. `npm run bench -- costs` measures and prints it. A
 * list is counted with its default limit. That of `rpc.discover` is set by hand: its answer is the largest.
 */
export const defaultCosts: KeyCosts = {
  getAccountInfo: 1,
  getAsset: 1,
  getLargestAccounts: 2,
  getNftEditions: 3,
  getTokenAccountsByDelegate: 2,
  getTokenSupply: 1,
  "rpc.discover": 10,
  searchAssets: 3,
  other: 1,
};
