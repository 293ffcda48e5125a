import type { Account } from "./account.ts";
import type { Slot } from "./address.ts";
import type { Transaction } from "./transaction.ts";

/**
 * Names one bank of a slot. A node may clear the bank of a slot and make another, and reports both under one slot.
 * The number belongs to one process of one node, so it means nothing in another stream: compare blockhashes there.
 * Absent or 0 = the source does not name the bank.
 */
export type BankId = bigint;

/**
 * The events that every live source emits, in the order in which it learned them.
 *
 * A Yellowstone server reports each write. It emits the updates of one slot in any order, then `block` where it has
 * one, then `complete`. Statuses may be missing and may come late.
 *
 * An RPC node reports confirmed slots only, and learns of some writes late. It emits `confirmed`, `finalized` and
 * `rollback`.
 */
export type ChainEvent =
  | { readonly kind: "account"; readonly account: Account; readonly bank?: BankId }
  | { readonly kind: "transaction"; readonly transaction: Transaction; readonly bank?: BankId }
  /** Parent and hashes (base58 text) of a block; null where the source does not carry them. */
  | {
      readonly kind: "block";
      readonly slot: Slot;
      readonly parent: Slot;
      readonly blockhash: string | null;
      readonly parentBlockhash: string | null;
      readonly bank?: BankId;
    }
  /**
   * `createdBank` = a bank of the slot starts. A second one in the same stream replaces the first, with every slot that
   * builds on it. `complete` = all updates of the bank were reported. `dead` concerns all banks of the slot. `parent` is null
   * where this message does not carry it.
   */
  | {
      readonly kind: "slot";
      readonly slot: Slot;
      readonly parent: Slot | null;
      readonly status: "createdBank" | "complete" | "confirmed" | "finalized" | "dead";
      /** Base58 text; present where the source learned it only with this status. */
      readonly blockhash?: string | null;
      readonly bank?: BankId;
    }
  /**
   * A complete and confirmed slot, with everything that became known since `parent`: the slot reported before, or the
   * store's. A version has the slot that it is known to hold at, which may be lower than this one, never higher.
   */
  | {
      readonly kind: "confirmed";
      readonly slot: Slot;
      readonly parent: Slot;
      readonly accounts: readonly Account[];
      readonly transactions: readonly Transaction[];
    }
  /** Slots above the last finalized one are not part of the chain, or were lost. They must be forgotten. */
  | { readonly kind: "rollback" }
  /**
   * A new stream starts. It does not complete the slots that the last one left incomplete, and slots may come again.
   * `from` is the first slot that it replays from its beginning, or null where it may start in the middle of a slot.
   * Absent = slots only ever come complete.
   */
  | { readonly kind: "restart"; readonly from?: Slot | null }
  /** The stream was asked to report these again, whose end it reported: from here on they come whole, with their end. */
  | { readonly kind: "again"; readonly slots: readonly Slot[] };
