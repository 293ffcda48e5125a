import type { Slot } from "@lamplight/core";
import { slotsAheadMax } from "./limits.ts";
import type { SlotLine } from "./slot-line.ts";

export interface FarBehind {
  readonly reason: string;
  /** Whether what was emitted above the finalized slot may be wrong. */
  readonly mustRollBack: boolean;
}

/**
 * Why a node at slot `newest` cannot be followed from where the line is; null where it can.
 *
 * @param highest - slot that this node was believed to be at before; 0 = not known
 */
export const findFarBehind = (
  { reported, finalized }: Pick<SlotLine, "reported" | "finalized">,
  newest: Slot,
  highest: Slot,
): FarBehind | null => {
  // The node said so twice: anything that was read then may have such slots, and older ones never win.
  if (highest > newest + slotsAheadMax)
    return {
      reason: `the node is at slot ${newest}, and was believed to be at ${highest}`,
      mustRollBack: true,
    };
  if (reported <= newest + slotsAheadMax) return null;
  const reason = `the node is at slot ${newest}, far behind slot ${reported}`;
  // What was emitted last can be rolled back, down to what is finalized.
  return reported > finalized
    ? { reason: `${reason} that it reported before`, mustRollBack: true }
    : { reason: `${reason} of the store`, mustRollBack: false };
};
