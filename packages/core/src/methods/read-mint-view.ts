import type { AddressBytes, MaybePromise } from "../domain/address.ts";
import { type MintView, mintViewOf } from "../amount/mint-view.ts";
import type { ReadView } from "../ports/read-view.ts";
import { whenReady } from "../ports/when-ready.ts";

/** What token amounts need of a mint; null when the account is missing or no mint. Its owner does not matter, as in Agave. */
export const readMintView = (view: ReadView, mint: AddressBytes): MaybePromise<MintView | null> =>
  whenReady(view.accounts.findAccount(mint), (account) =>
    account === null ? null : mintViewOf(account.data),
  );
