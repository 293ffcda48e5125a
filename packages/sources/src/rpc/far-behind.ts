import type { Slot } from "@lamplight/core";
import type { SlotLine } from "./slot-line.ts";

export interface FarBehind {
  readonly reason: string;
  /** Whether emitted slots above the finalized one may be wrong. */
  readonly mustRollBack: boolean;
}

/**
 * The reason why a node at slot `newest` cannot be followed from the last emitted slot; null where it can.
 *
 * @param highest - accepted slot of this node so far; 0 = not known
 * @param slotsAheadMax - slots by which two reports of one node may differ
 */
export const findFarBehind = (
  { emitted, finalized }: Pick<SlotLine, "emitted" | "finalized">,
  newest: Slot,
  highest: Slot,
  slotsAheadMax: number,
): FarBehind | null => {
  // The node confirmed it, so the slot accepted before was wrong. Answers read then may have such slots, and would
  // win over all newer ones.
  if (highest > newest + slotsAheadMax)
    return {
      reason: `the node is at slot ${newest}, below its last known slot ${highest}`,
      mustRollBack: true,
    };
  if (emitted <= newest + slotsAheadMax) return null;
  const reason = `the node is at slot ${newest}, far behind slot ${emitted}`;
  // The last emitted slots can be rolled back, down to the finalized one.
  return emitted > finalized
    ? { reason: `${reason} that it reported before`, mustRollBack: true }
    : { reason: `${reason} of the store`, mustRollBack: false };
};
