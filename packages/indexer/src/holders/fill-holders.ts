// Makes a store keep the token accounts of each mint, from the accounts that it has.

import { setImmediate } from "node:timers/promises";
import type { AccountState, AddressBytes, HolderIndex, IndexStore } from "@lamplight/core";
import { ACCOUNTS_PER_HOLDER_PAGE } from "../engine/limits.ts";

export interface HoldersFillOptions {
  readonly signal?: AbortSignal;
  /** Called after each page with the number of accounts that were read so far, and of token accounts among them. */
  readonly onPage?: (accounts: number, tokenAccounts: number) => void;
}

/**
 * Makes the index of token accounts by mint. No other process writes the store in the meantime. A run that was stopped
 * leaves a store without the index, and the next one begins again.
 *
 * @returns the number of token accounts; null where the store keeps them already
 */
export const fillHolders = async (
  store: Pick<IndexStore, "readAccountPage">,
  holders: HolderIndex,
  { signal, onPage = () => {} }: HoldersFillOptions = {},
): Promise<number | null> => {
  if (holders.isKept) return null;
  await holders.begin();
  let [accounts, tokenAccounts] = [0, 0];
  let after: AddressBytes | null = null;
  for (;;) {
    const page: readonly AccountState[] = await store.readAccountPage(after, ACCOUNTS_PER_HOLDER_PAGE);
    accounts += page.length;
    tokenAccounts += await holders.add(page.map(({ current }) => current));
    onPage(accounts, tokenAccounts);
    // A store that answers at once would let no signal through.
    await setImmediate();
    signal?.throwIfAborted();
    if (page.length < ACCOUNTS_PER_HOLDER_PAGE) break;
    after = page.at(-1)!.current.address;
  }
  await holders.finish();
  return tokenAccounts;
};
