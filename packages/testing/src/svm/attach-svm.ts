import type { Slot } from "@lamplight/core";
import type { ChainWorld } from "@lamplight/devchain";
import { isFailed, isIncluded, type LiteSvmLike, type SvmMetadata } from "./lite-svm.ts";
import { readExecuted } from "./read-executed.ts";
import { transactionErrorOf, type TransactionErrorJson } from "./transaction-error.ts";

export interface Attached {
  /** Stops indexing, and restores the instance's `sendTransaction`. */
  detach(): void;
}

/** Writes one slot of the chain. */
export type WriteSlot = (work: (world: ChainWorld) => void) => void;

/** A transaction that got into a block. */
export interface Landed {
  readonly signature: string;
  readonly slot: Slot;
  /** Null = it succeeded. */
  readonly err: TransactionErrorJson | null;
}

/** Wraps `sendTransaction`: writes the accounts and instructions of each executed transaction as one slot. */
export const attachSvm = (
  svm: LiteSvmLike,
  write: WriteSlot,
  onLanded: (landed: Landed) => void,
): Attached => {
  const send = svm.sendTransaction;
  const sendAndIndex = (transaction: never): unknown => {
    const outcome = send.call(svm, transaction);
    const failure = isFailed(outcome) ? outcome : null;
    const metadata = failure?.meta() ?? (outcome as SvmMetadata);
    if (failure !== null && !isIncluded(svm, metadata.signature())) return outcome;
    const executed = readExecuted(svm, transaction, metadata);
    const { signature } = executed.transaction;
    const err = failure === null ? null : transactionErrorOf(failure);
    write((world) => {
      // A failed transaction changed lamports of the fee payer, or a nonce.
      for (const account of executed.accounts) world.setAccount(account);
      if (err === null) world.sendTransaction(executed.transaction);
      onLanded({ signature, slot: world.nextSlot, err });
    });
    return outcome;
  };
  svm.sendTransaction = sendAndIndex;
  return {
    detach: () => {
      if (svm.sendTransaction === sendAndIndex) svm.sendTransaction = send;
    },
  };
};
