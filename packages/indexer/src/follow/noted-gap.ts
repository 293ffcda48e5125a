import type { Slot } from "@lamplight/core";

/** The reason why the chain cannot be followed: `missing` is the lowest required slot that never became complete. */
export interface ChainGap {
  readonly finalizedSlot: Slot;
  readonly missing: Slot;
}

/** The current gap. Every missing slot is reported; all of them above one finalized slot count as one gap. */
export class NotedGap {
  readonly #onGap: (gap: ChainGap) => void;
  #gap: ChainGap | null = null;
  #countedAt: Slot | null = null;
  #count = 0;

  constructor(onGap: (gap: ChainGap) => void) {
    this.#onGap = onGap;
  }

  get gap(): ChainGap | null {
    return this.#gap;
  }

  /** Gaps so far, this one included. */
  get count(): number {
    return this.#count;
  }

  /** @param missing - null = none is */
  note(missing: Slot | null, finalizedSlot: Slot): void {
    if (missing === null) this.#gap = null;
    else if (this.#gap?.missing !== missing || this.#gap.finalizedSlot !== finalizedSlot)
      this.emit({ missing, finalizedSlot });
  }

  /** Reports the gap again, even if it was reported before. */
  emit(gap: ChainGap): void {
    this.#gap = gap;
    if (gap.finalizedSlot !== this.#countedAt) this.#count += 1;
    this.#countedAt = gap.finalizedSlot;
    this.#onGap(gap);
  }
}
