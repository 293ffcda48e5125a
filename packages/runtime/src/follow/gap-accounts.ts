import type { Account, Coverage, IndexStore } from "@lamplight/core";
import { closedAccount } from "@lamplight/sources/rpc";
import { coversAccount } from "./followed-accounts.ts";

/** Accounts that are looked up in the store at once; between two such looks others have their turn. */
const ACCOUNTS_PER_LOOK_MAX = 10_000;

/**
 * Of accounts that were read of a gap, what the store should be reported: those that it covers. One that it knows and that
 * is gone, or belongs to a program now that is not covered, is reported to be closed; what came and went in the gap, or
 * never was covered, never was.
 */
export const accountsToEmit = async (
  read: readonly Account[],
  coverage: Coverage,
  store: Pick<IndexStore, "readAccountStates">,
): Promise<readonly Account[]> => {
  const covers = coversAccount(coverage);
  const isCovered = (account: Account): boolean => account.lamports > 0n && covers(account);
  const reported: Account[] = [];
  for (let from = 0; from < read.length; from += ACCOUNTS_PER_LOOK_MAX) {
    const page = read.slice(from, from + ACCOUNTS_PER_LOOK_MAX);
    const others = page.filter((account) => !isCovered(account));
    const states = await store.readAccountStates(others.map(({ address }) => address));
    const gone = others.filter((_, index) => states[index] !== null);
    reported.push(
      ...page.filter(isCovered),
      ...gone.map(({ address, slot }) => closedAccount(address, slot)),
    );
    await new Promise((resolve) => setImmediate(resolve));
  }
  return reported;
};
