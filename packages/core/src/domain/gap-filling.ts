import type { Account } from "./account.ts";
import type { Slot } from "./address.ts";
import type { Transaction } from "./transaction.ts";

/** State that was read for slots that a source has lost: those above a finalized slot, up to `through`. */
export interface GapFilling {
  readonly finalizedSlot: Slot;
  readonly through: Slot;
  /** Hash of the last missing block, base58 text. */
  readonly blockhash: string;
  /** Every account that the missing blocks may have written, read at a slot above them. Closed ones have 0 lamports. */
  readonly accounts: readonly Account[];
  /** Transactions of the missing blocks that change compressed assets, in their order. */
  readonly transactions: readonly Transaction[];
  /** Slot of the accounts: apply every later write up to it over them. */
  readonly slot: Slot;
}
