import type { AddressBytes, Slot, Transaction } from "@lamplight/core";
import type { Draft } from "../draft.ts";
import type { Journal } from "./journal.ts";

/** The functions with which operations on assets write to the chain. */
export interface WorldContext {
  journal: Journal;
  /** The slot that is written now. */
  slot(): Slot;
  /** An unused address. */
  newAddress(): AddressBytes;
  write(draft: Draft): void;
  send(transaction: Transaction): void;
  putDocument(uri: string, json: string): void;
  /** The authority of everything for which the caller named none. */
  authority(): AddressBytes;
}
