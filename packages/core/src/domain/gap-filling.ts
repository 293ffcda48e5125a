import type { Account } from "./account.ts";
import type { Slot } from "./address.ts";
import type { Transaction } from "./transaction.ts";

/** What was read of slots that a source has lost: those above a root, up to `through`. */
export interface GapFilling {
  readonly finalizedSlot: Slot;
  readonly through: Slot;
  /** Of the last missing block, base58 text. */
  readonly blockhash: string;
  /** Every account that the missing blocks may have written, as it is at some slot above them; closed ones have no lamports. */
  readonly accounts: readonly Account[];
  /** Those of the missing blocks that compressed assets follow from, in their order. */
  readonly transactions: readonly Transaction[];
  /** At which the accounts are true, if everything that was written up to there is laid over them. */
  readonly slot: Slot;
}
