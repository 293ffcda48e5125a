import type { AddressBytes } from "../domain/address.ts";
import { type MintView, mintViewOf } from "../amount/mint-view.ts";
import type { ReadView } from "../ports/read-view.ts";

/** What token amounts need of a mint; null when the account is missing or no mint. Its owner does not matter, as in Agave. */
export const readMintView = async (view: ReadView, mint: AddressBytes): Promise<MintView | null> => {
  const account = await view.accounts.findAccount(mint);
  return account === null ? null : mintViewOf(account.data);
};
