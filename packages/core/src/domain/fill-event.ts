import type { Account } from "./account.ts";
import type { Watermark } from "./coverage.ts";
import type { Transaction } from "./transaction.ts";

/** A part of the data that a store lacks, which a source reads before it reports slots. */
export type FillEvent =
  /** Final already: goes into the store at once. */
  | {
      readonly kind: "fill";
      readonly accounts: readonly Account[];
      readonly transactions: readonly Transaction[];
    }
  /**
   * The store now holds everything that was asked for. A store that was empty holds it as of this final slot. Otherwise
   * this is the store's old slot, and the first finalized slot brings everything to one slot.
   */
  | { readonly kind: "filled"; readonly watermark: Watermark };
