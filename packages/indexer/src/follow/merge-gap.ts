import type { GapFilling, Slot } from "@lamplight/core";
import { Stage } from "./stage.ts";

/**
 * Merges what was read of a gap, and everything reported since, into one complete slot. Its parent is the finalized
 * slot.
 *
 * @param joined - the child of the gap and its descendants, parents first; at least one
 */
export const mergeGap = (finalizedSlot: Slot, filling: GapFilling, joined: readonly Stage[]): Stage => {
  const last = joined.at(-1)!;
  const stage = new Stage(last.slot, last.stream);
  stage.setBlock({ parent: finalizedSlot, blockhash: last.blockhash, parentBlockhash: null });
  stage.progress = "complete";
  stage.addAll(filling.accounts, filling.transactions);
  for (const one of joined) {
    const { accounts, transactions } = one.updates();
    stage.addAll(accounts, transactions);
  }
  return stage;
};
