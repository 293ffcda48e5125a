import type { Account, Slot, Transaction } from "@lamplight/core";

/** One block of the simulated chain, on any fork. */
export interface SimulatedBlock {
  /** Number of its bank, counted over all slots. */
  readonly number: number;
  readonly slot: Slot;
  readonly parent: Slot;
  readonly blockhash: string;
  readonly parentBlockhash: string;
  /** Every write in order; an address may be written several times. */
  readonly writes: readonly Account[];
  /** Transactions of the block in their order. */
  readonly transactions: readonly Transaction[];
  /** Fails at the end: nothing of it ever counts. */
  readonly isDead: boolean;
}
