import type { NewestSlot } from "./slot-clock.ts";

/** State of a chain that is followed, where the serving process knows it. */
export interface LiveStatus {
  readonly isReady: boolean;
  /** Newest slot that can be read; absent = that of the store. */
  readonly read?: NewestSlot;
  /** `status` (what it does, or the rule that it breaks) and the slots, as JSON object. */
  readonly detail: Readonly<Record<string, unknown>>;
}
