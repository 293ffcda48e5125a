import { closedAccount, type Account, type Coverage, type IndexStore } from "@lamplight/core";
import { coversAccount } from "./followed-accounts.ts";

/** Accounts per read of the store. Other work gets a turn between two reads. */
const ACCOUNTS_PER_LOOK_MAX = 10_000;

/**
 * Selects which accounts of a gap to write: those that the store covers. A known account that is gone, or whose
 * program is not covered any more, becomes a closed account. Accounts that were created and closed in the gap are
 * ignored, unless `keepsClosings`: what fills the store at the same time may still have them.
 */
export const accountsToEmit = async (
  read: readonly Account[],
  coverage: Coverage,
  store: Pick<IndexStore, "readAccountStates">,
  keepsClosings: boolean = false,
): Promise<readonly Account[]> => {
  const covers = coversAccount(coverage);
  const isCovered = (account: Account): boolean => account.lamports > 0n && covers(account);
  const reported: Account[] = [];
  for (let from = 0; from < read.length; from += ACCOUNTS_PER_LOOK_MAX) {
    const page = read.slice(from, from + ACCOUNTS_PER_LOOK_MAX);
    const others = page.filter((account) => !isCovered(account));
    const states = await store.readAccountStates(others.map(({ address }) => address));
    const gone = others.filter(
      ({ lamports }, index) => states[index] !== null || (keepsClosings && lamports === 0n),
    );
    reported.push(
      ...page.filter(isCovered),
      ...gone.map(({ address, slot }) => closedAccount(address, slot)),
    );
    await new Promise((resolve) => setImmediate(resolve));
  }
  return reported;
};
