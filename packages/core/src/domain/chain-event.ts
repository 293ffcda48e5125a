import type { Account } from "./account.ts";
import type { Slot } from "./address.ts";
import type { Transaction } from "./transaction.ts";

/**
 * What a live source tells, in the order it heard it. Of one slot: what it wrote in any order, `block` where the source
 * has it, then `complete`. Statuses may be skipped and may come late.
 */
export type ChainEvent =
  | { readonly kind: "account"; readonly account: Account }
  | { readonly kind: "transaction"; readonly transaction: Transaction }
  /** Parent and hashes (base58 text) of a block; null where the source does not carry them. */
  | {
      readonly kind: "block";
      readonly slot: Slot;
      readonly parent: Slot;
      readonly blockhash: string | null;
      readonly parentBlockhash: string | null;
    }
  /** `complete` = all that the slot wrote was reported. `parent` is null where this message does not carry it. */
  | {
      readonly kind: "slot";
      readonly slot: Slot;
      readonly parent: Slot | null;
      readonly status: "begun" | "complete" | "confirmed" | "finalized" | "dead";
    }
  /**
   * A new stream begins: what was not complete will not be completed by it, and slots may come again. Where it may join
   * in the midst of a slot, `from` is the first one that it replays from its beginning, or null; absent = slots only
   * ever come whole.
   */
  | { readonly kind: "restart"; readonly from?: Slot | null };
