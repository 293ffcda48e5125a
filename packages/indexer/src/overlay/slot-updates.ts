import type { Account, Slot, Transaction } from "@lamplight/core";

/** All writes of one complete slot, or of several that were joined: one version of each account in each of them. */
export interface SlotUpdates {
  readonly slot: Slot;
  readonly parent: Slot;
  /** Base58 text; null where the source does not report it. */
  readonly blockhash: string | null;
  readonly accounts: readonly Account[];
  readonly transactions: readonly Transaction[];
}
