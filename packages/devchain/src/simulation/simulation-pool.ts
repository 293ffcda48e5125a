// The accounts that a simulated chain draws its writes from.

import { encodeAddress, isTokenProgram } from "@lamplight/codecs";
import type { ChainCounts } from "../chain-options.ts";
import type { Draft } from "../draft.ts";
import { generateChain } from "../generate-chain.ts";
import { World } from "../world.ts";

/** A very small chain. */
const smallCounts: ChainCounts = {
  wallets: 6,
  fungibleMints: 4,
  tokenAccounts: 14,
  nativeTokenAccounts: 2,
  delegates: 2,
  collections: 1,
  nfts: 8,
  masterEditions: 1,
  printsOfFirst: 5,
  stakeAccounts: 4,
  voteAccounts: 1,
  others: 3,
};

/** Accounts of a very small generated chain, in the order they come into being and change. */
export const poolOf = (seed: number): readonly Draft[] =>
  [...generateChain({ seed, counts: smallCounts, derivedAddresses: "search" })].flatMap(
    ({ accounts }) => accounts,
  );

/** The last draft of each address. */
export const onePerAddress = (drafts: readonly Draft[]): Draft[] => [
  ...new Map(drafts.map((draft) => [encodeAddress(draft.address), draft])).values(),
];

/** The mint of the pool's master edition. */
export const masterMintOf = (seed: number): Uint8Array =>
  new World({ seed, counts: smallCounts }).address("masterEdition", 0);

export const tokenAccountsOf = (pool: readonly Draft[]): readonly Draft[] =>
  pool.filter(({ programOwner, data }) => isTokenProgram(programOwner) && data.length >= 165);
