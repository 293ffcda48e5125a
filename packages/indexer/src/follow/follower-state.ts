import type { Slot } from "@lamplight/core";
import type { ChainGap } from "./noted-gap.ts";

/** State of a follower, for readiness and metrics: the slots it has received and derived so far. */
export interface FollowerState {
  /** Null while no slot is missing below the confirmed and finalized ones. */
  readonly gap: ChainGap | null;
  readonly stagedSlots: number;
  readonly stagedVersions: number;
  readonly stagedBytes: number;
  /** Updates of slots that were already complete or finalized. */
  readonly lateUpdates: number;
  readonly deadSlots: number;
  /** Slots that were replayed with another block, or with more updates than before. */
  readonly replacedSlots: number;
  readonly restarts: number;
  /** Gaps so far, the current one included. All slots missing above one finalized slot are one gap. */
  readonly gaps: number;
  /** Times that staged data exceeded a bound, so that underived slots were dropped. */
  readonly overflows: number;
  /** Whether nothing more is accepted from this stream, so that it must be started again. */
  readonly needsRestart: boolean;
  /** Newest slot of any event; null before the first. */
  readonly sourceSlot: Slot | null;
}
