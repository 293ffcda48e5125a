import { type Account, AddressSet } from "@lamplight/core";
import type { StateReader } from "../engine/state-reader.ts";

/** The accounts without the closed ones of which nothing is known. */
export const withoutUnknownClosings = async (
  accounts: readonly Account[],
  reader: StateReader,
): Promise<readonly Account[]> => {
  const living = new AddressSet();
  for (const { address, lamports } of accounts) if (lamports > 0n) living.add(address);
  const closed = accounts.filter(({ address, lamports }) => lamports === 0n && !living.has(address));
  if (closed.length === 0) return accounts;
  const states = await reader.readAccountStates(closed.map(({ address }) => address));
  const unknown = new Set(closed.filter((_, index) => states[index] === null));
  return accounts.filter((account) => !unknown.has(account));
};
