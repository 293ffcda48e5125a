import type { Slot } from "@lamplight/core";
import { slotJumpMax } from "./limits.ts";

/**
 * How new a slot of one stream can be. One number from far away, believed, would stand as the newest for years, and what
 * it is said to be finalized would be waited for as long: so each has to lie near what the stream reported before. Where a
 * stream begins may lie any distance above the store, which may have been away for long: then two messages in turn have
 * to say so.
 */
export class StreamHorizon {
  readonly #stoodAt: Slot;
  #newest: Slot | null = null;
  #doubted: Slot | null = null;

  /** @param stoodAt - slot of the store when the stream began */
  constructor(stoodAt: Slot) {
    this.#stoodAt = stoodAt;
  }

  /** Of those that are believed; null before the first. */
  get newest(): Slot | null {
    return this.#newest;
  }

  /**
   * @returns whether it is believed, and with it the one before; otherwise the next one says
   * @throws Error that reports in words why it cannot be
   */
  judge(slot: Slot): boolean {
    if (this.#newest === null && !this.#isBeginning(slot)) {
      this.#doubted = slot;
      return false;
    }
    const newest = this.#newest ?? slot;
    if (slot > newest + slotJumpMax)
      throw new Error(`it reported slot ${slot}, far ahead of its last slot ${newest}`);
    this.#newest = Math.max(newest, slot);
    return true;
  }

  #isBeginning(slot: Slot): boolean {
    const doubted = this.#doubted;
    if (doubted === null) return slot <= this.#stoodAt + slotJumpMax;
    if (Math.abs(slot - doubted) <= slotJumpMax) return true;
    throw new Error(`it reported slot ${doubted}, then slot ${slot}`);
  }
}
