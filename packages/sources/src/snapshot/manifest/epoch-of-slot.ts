import type { Slot } from "@lamplight/core";

export interface EpochSchedule {
  readonly slotsPerEpoch: number;
  readonly firstNormalEpoch: number;
  readonly firstNormalSlot: Slot;
}

const SHORTEST_EPOCH_SLOTS = 32;

/** The epoch of a slot. While a cluster warms up, each epoch has twice the slots of the one before. */
export const epochOfSlot = (schedule: EpochSchedule, slot: Slot): number => {
  if (slot < schedule.firstNormalSlot)
    return Math.floor(Math.log2((slot + SHORTEST_EPOCH_SLOTS) / SHORTEST_EPOCH_SLOTS));
  if (schedule.slotsPerEpoch === 0) return 0;
  return schedule.firstNormalEpoch + Math.floor((slot - schedule.firstNormalSlot) / schedule.slotsPerEpoch);
};
