import type { Slot } from "@lamplight/core";
import type { Journal } from "./journal.ts";

/** A saved state of a world. It can be restored any number of times. */
export interface WorldState {
  readonly journal: Journal;
  readonly slots: readonly BlockId[];
  readonly nextSlot: Slot;
}

export interface BlockId {
  readonly slot: Slot;
  readonly blockhash: string;
}
