import type { Slot } from "../domain/address.ts";

/** Milliseconds of a slot of a chain that was not measured yet, and of sample chains. */
export const SLOT_MS_FIRST = 400;
export const SLOTS_PER_SECOND_FIRST: number = 1000 / SLOT_MS_FIRST;

/** Least time of one sample: shorter ones depend on when messages arrive. */
const SAMPLE_MS = 15_000;
/** Five minutes. */
const SAMPLES_MAX = 20;
/** Before that, the first value counts. */
const SAMPLES_MIN = 3;
/** Samples outside do not count: the chain stood still, or the source was catching up. */
const SLOTS_PER_SECOND_MIN = 1;
const SLOTS_PER_SECOND_MAX = 10;

/**
 * Measures how fast a followed chain makes slots: the only place that knows it. Bounds are written as time, and become
 * slots here. The rate is the median of the last minutes. So neither a halt nor a jump of the source changes it.
 */
export class SlotRate {
  readonly #samples: number[] = [];
  /** The last sample ended here. */
  #from: { readonly slot: Slot; readonly ms: number } | null = null;
  #perSecond = SLOTS_PER_SECOND_FIRST;

  /**
   * The caller calls it about once a second.
   *
   * @param slot - newest slot that the source reported; null = none yet
   * @param nowMs - of a monotonic clock
   */
  note(slot: Slot | null, nowMs: number): void {
    if (slot === null || slot === this.#from?.slot) return;
    const from = this.#from;
    if (from !== null && slot > from.slot && nowMs - from.ms < SAMPLE_MS) return;
    this.#from = { slot, ms: nowMs };
    // A lower slot is of another chain, or of a source that was restored.
    if (from !== null && slot > from.slot) this.#add(((slot - from.slot) * 1000) / (nowMs - from.ms));
  }

  /** Slots a second. */
  get perSecond(): number {
    return this.#perSecond;
  }

  /** Slots in so many seconds, at least one. */
  slotsIn(seconds: number): number {
    return Math.max(1, Math.round(seconds * this.#perSecond));
  }

  #add(sample: number): void {
    if (sample < SLOTS_PER_SECOND_MIN || sample > SLOTS_PER_SECOND_MAX) return;
    this.#samples.push(sample);
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift();
    if (this.#samples.length < SAMPLES_MIN) return;
    this.#perSecond = this.#samples.toSorted((a, b) => a - b)[this.#samples.length >> 1]!;
  }
}
