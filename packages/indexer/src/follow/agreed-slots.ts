import type { Slot } from "@lamplight/core";
import { AGREED_APART_MAX } from "./limits.ts";

/**
 * Confirmed and finalized slots as reported by the source. Only the newest of each matter, because their ancestors
 * have the same status. A slot far above a later report belongs to another chain and is dropped.
 */
export class AgreedSlots {
  readonly #max: number;
  readonly #confirmed = new Set<Slot>();
  readonly #finalized = new Set<Slot>();

  /** @param max - slots kept for each status; more arrive only while nothing is finalized */
  constructor(max: number) {
    this.#max = max;
  }

  confirm(slot: Slot): void {
    this.#remember(this.#confirmed, slot);
  }

  finalize(slot: Slot): void {
    this.#remember(this.#confirmed, slot);
    this.#remember(this.#finalized, slot);
  }

  /** Null where no slot passes the test. */
  newestConfirmed(test?: (slot: Slot) => boolean): Slot | null {
    return newestOf(this.#confirmed, test);
  }

  newestFinalized(test?: (slot: Slot) => boolean): Slot | null {
    return newestOf(this.#finalized, test);
  }

  clear(): void {
    this.#confirmed.clear();
    this.#finalized.clear();
  }

  forgetThrough(root: Slot): void {
    for (const slots of [this.#confirmed, this.#finalized]) {
      for (const slot of slots) if (slot <= root) slots.delete(slot);
    }
  }

  #remember(slots: Set<Slot>, slot: Slot): void {
    slots.add(slot);
    for (const one of slots) if (one > slot + AGREED_APART_MAX) slots.delete(one);
    const [oldest] = slots;
    if (slots.size > this.#max && oldest !== undefined) slots.delete(oldest);
  }
}

const newestOf = (slots: ReadonlySet<Slot>, test: (slot: Slot) => boolean = () => true): Slot | null => {
  let newest: Slot | null = null;
  for (const slot of slots) if ((newest === null || slot > newest) && test(slot)) newest = slot;
  return newest;
};
