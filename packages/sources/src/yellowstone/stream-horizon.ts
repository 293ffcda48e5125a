import { type Slot, SlotRate } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { JUMP_SECONDS_MAX } from "./limits.ts";

/**
 * Rejects slots that one stream cannot have reached. A slot from the far future would stay the newest one for years,
 * and the follower would wait for it as long. So each slot must be close to the newest one of the stream. The first
 * slot may be any distance above the store, because the follower may have been down; two messages must then agree.
 */
export class StreamHorizon {
  readonly #stoodAt: Slot;
  readonly #rate: SlotRate;
  #newest: Slot | null = null;
  #doubted: Slot | null = null;

  /** @param stoodAt - the store's slot when the stream started */
  constructor(stoodAt: Slot, rate: SlotRate = new SlotRate()) {
    this.#rate = rate;
    this.#stoodAt = stoodAt;
  }

  /** The newest accepted slot; null before the first. */
  get newest(): Slot | null {
    return this.#newest;
  }

  /**
   * @returns whether the slot is accepted; a first slot far from the store is accepted with the next message
   * @throws LamplightError `SOURCE__BAD_MESSAGE`
   */
  judge(slot: Slot): boolean {
    if (this.#newest === null && !this.#isBeginning(slot)) {
      this.#doubted = slot;
      return false;
    }
    const newest = this.#newest ?? slot;
    if (slot > newest + this.#jumpMax)
      throw badSlot(`reports slot ${slot}, far ahead of its last slot ${newest}`);
    this.#newest = Math.max(newest, slot);
    return true;
  }

  get #jumpMax(): number {
    return this.#rate.slotsIn(JUMP_SECONDS_MAX);
  }

  #isBeginning(slot: Slot): boolean {
    const doubted = this.#doubted;
    if (doubted === null) return slot <= this.#stoodAt + this.#jumpMax;
    if (Math.abs(slot - doubted) <= this.#jumpMax) return true;
    throw badSlot(`reports slot ${slot}, after slot ${doubted}`);
  }
}

const badSlot = (reason: string): LamplightError => new LamplightError("SOURCE__BAD_MESSAGE", { reason });
