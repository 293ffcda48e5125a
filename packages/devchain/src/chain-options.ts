/** Number of items of each kind in a generated chain. The number of accounts follows from them. */
export interface ChainCounts {
  readonly wallets: number;
  readonly fungibleMints: number;
  /** Holdings of all fungible mints together. */
  readonly tokenAccounts: number;
  /** Holdings of wrapped lamports. */
  readonly nativeTokenAccounts: number;
  /** Addresses that token accounts are delegated to; the first few get most of them. */
  readonly delegates: number;
  readonly collections: number;
  readonly nfts: number;
  readonly masterEditions: number;
  /** Prints of the first master edition; later ones have ever fewer. */
  readonly printsOfFirst: number;
  readonly stakeAccounts: number;
  readonly voteAccounts: number;
  /** Nonces, lookup tables, multisigs, validator records, and accounts of programs without a decoder. */
  readonly others: number;
}

export interface ChainOptions {
  /** 0 to 2^32 - 1: the same seed and counts give the same bytes. */
  readonly seed: number;
  readonly counts: ChainCounts;
  /** Slot of the first batch; each batch takes the next. Default 300,000,000. */
  readonly firstSlot?: number;
  /** Default 1000. */
  readonly accountsPerSlot?: number;
  /**
   * The way in which derived addresses are made. `search` does what programs do (about 0.2 ms each). The alternative
   * hashes once with bump 255, a thousand times faster, but half of these addresses are on the curve. Default `search`.
   */
  readonly derivedAddresses?: "search" | "hash-once";
}

/**
 * Counts for about `accounts` accounts, mixed roughly as on mainnet: token accounts and wallets first, an NFT being
 * four accounts or more.
 */
export const countsForAccounts = (accounts: number): ChainCounts => {
  const share = (perMille: number, least = 1): number =>
    Math.max(least, Math.floor((accounts * perMille) / 1000));
  return {
    wallets: share(250),
    fungibleMints: share(6, 10),
    tokenAccounts: share(400),
    nativeTokenAccounts: share(15),
    delegates: share(2, 3),
    collections: share(1),
    nfts: share(65),
    masterEditions: share(1, 3),
    printsOfFirst: Math.min(5000, share(3, 5)),
    stakeAccounts: share(10, 12),
    voteAccounts: Math.min(2000, share(1, 3)),
    others: share(20, 12),
  };
};
