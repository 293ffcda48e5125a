// Between a leaf's state in memory and the text of it that stores keep.

import type { LedgerState } from "@lamplight/core";
import type { LeafState } from "./leaf-state.ts";
import { parseLeafState, writeLeafState } from "./leaf-state-text.ts";

/** What states mean that were folded here: an asset is nearly always derived from what was folded just before. */
const folded = new WeakMap<LedgerState, LeafState>();

export const leafStateOf = (ledger: LedgerState): LeafState => folded.get(ledger) ?? parseLeafState(ledger);

export const ledgerOf = (place: Omit<LedgerState, "state">, state: LeafState): LedgerState => {
  const ledger = { ...place, state: writeLeafState(state) };
  folded.set(ledger, state);
  return ledger;
};
