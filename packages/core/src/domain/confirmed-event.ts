import type { Account } from "./account.ts";
import type { Slot } from "./address.ts";
import type { Watermark } from "./coverage.ts";
import type { Transaction } from "./transaction.ts";

/**
 * What a source tells that sees confirmed slots only and learns of some writes late (an ordinary RPC node): one line of
 * slots, each with all that became known since the one before. Versions carry the slot they are known to hold at, which
 * may be lower than the slot they come with, never higher.
 */
export type ConfirmedEvent =
  /** Final already: goes into the store at once, before the first slot. */
  | {
      readonly kind: "fill";
      readonly accounts: readonly Account[];
      readonly transactions: readonly Transaction[];
    }
  /**
   * The store holds what was asked for: all of it as of this final slot when it was empty; else what it held before stands
   * at this slot, its old one, what it lacked stands later, and the first `finalized` brings all to one slot.
   */
  | { readonly kind: "filled"; readonly watermark: Watermark }
  /** `parent` is the slot reported before, or the one the store stands at. */
  | {
      readonly kind: "slot";
      readonly slot: Slot;
      readonly parent: Slot;
      readonly accounts: readonly Account[];
      readonly transactions: readonly Transaction[];
    }
  /** A slot reported before is final, with all below it; its hash (base58 text) where the source has it soon. */
  | { readonly kind: "finalized"; readonly slot: Slot; readonly blockhash: string | null }
  /** Slots above the last final one turned out not to be the chain's, or were lost: they are forgotten. */
  | { readonly kind: "rewind" };
