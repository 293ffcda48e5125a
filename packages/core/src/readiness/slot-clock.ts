import type { Slot } from "../domain/address.ts";

/** The newest slot of something, and how long ago it advanced. */
export interface NewestSlot {
  /** Null before the first. */
  readonly slot: Slot | null;
  /** Since the slot last advanced; null before the first. */
  readonly silentSeconds: number | null;
}

/** No replay goes back this far: a lower slot is of another chain, or of a store that was restored from a backup. */
const REPLAYED_SLOTS_MAX = 20_000;

/** Remembers the newest slot and when it advanced. A replay reports older slots again, which changes nothing. */
export class SlotClock {
  readonly #now: () => number;
  #slot: Slot | null = null;
  #advancedMs = 0;

  /** @param now - milliseconds; default: a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** To be called whenever the slot may have advanced, at least once a second. */
  note(slot: Slot | null): void {
    if (slot === null) return;
    const newest = this.#slot;
    if (newest !== null && slot <= newest && slot > newest - REPLAYED_SLOTS_MAX) return;
    this.#slot = slot;
    this.#advancedMs = this.#now();
  }

  get newest(): NewestSlot {
    if (this.#slot === null) return { slot: null, silentSeconds: null };
    return { slot: this.#slot, silentSeconds: (this.#now() - this.#advancedMs) / 1000 };
  }
}
