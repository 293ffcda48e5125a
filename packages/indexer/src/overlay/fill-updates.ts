import type { Account, AccountState, Transaction } from "@lamplight/core";
import type { StateReader } from "../engine/state-reader.ts";
import type { FillPage } from "./fill-queue.ts";

/** A page adds this to the updates of a slot. */
interface FillUpdates {
  readonly accounts: readonly Account[];
  readonly transactions: readonly Transaction[];
  /** States that replace those of their accounts. */
  readonly forgotten: readonly AccountState[];
}

/**
 * The part of a page that is news over these states. A version that was derived between `since` and the slot of the account
 * is the one that was read, with its true slot. A newer one came later: then the read one may be the last life of a
 * closed account.
 *
 * @param page - null = none
 */
export const fillUpdates = async (page: FillPage | null, reader: StateReader): Promise<FillUpdates> => {
  if (page === null) return { accounts: [], transactions: [], forgotten: [] };
  const { since, accounts, transactions = [], forgotten, forget } = page;
  const addresses = [...accounts.map(({ address }) => address), ...forgotten];
  const states = await reader.readAccountStates(addresses);
  return {
    accounts: accounts.filter(({ slot }, index) => {
      const known = states[index]?.current.slot;
      return known === undefined || known < since || known > slot;
    }),
    transactions,
    forgotten: states
      .slice(accounts.length)
      .flatMap((state) => (state === null ? [] : (forget(state) ?? []))),
  };
};
