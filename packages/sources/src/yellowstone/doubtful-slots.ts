import type { Slot } from "@lamplight/core";
import { DOUBTFUL_SLOTS_KEPT_MAX } from "./limits.ts";
import type { YellowstoneUpdate } from "./decode-update.ts";

/**
 * Slots whose first writes one stream may have missed. Servers replay complete slots only. So what the running slot wrote
 * before the stream started is reported neither by the replay nor after it. Once such a slot has ended, the server has all
 * of it, and the same stream can ask for it. A slot with a child that started before the stream had ended by then. So it is
 * not asked for.
 */
export class DoubtfulSlots {
  readonly #created = new Set<Slot>();
  readonly #asked = new Set<Slot>();
  /** Ended, and not asked for. */
  readonly #ended = new Set<Slot>();
  /** Slots with a child that started before the stream. */
  readonly #passed = new Set<Slot>();
  /** Confirmed and finalized slots, and those on which a slot started during the stream. */
  readonly #needed = new Set<Slot>();
  #newest: Slot = 0;

  /** @returns whether it may have added a slot to those that `take` gives */
  note({ slot, parent, status }: Extract<YellowstoneUpdate, { kind: "slot" }>): boolean {
    if (status === "createdBank") {
      keep(this.#created, slot);
      return parent !== null && this.#need(parent);
    }
    if (this.#created.has(slot)) return false;
    if (status === "confirmed" || status === "finalized") return this.#need(slot);
    if (status !== "processed") return false;
    if (parent !== null) keep(this.#passed, parent);
    if (this.#asked.has(slot)) return false;
    keep(this.#ended, slot);
    this.#newest = Math.max(this.#newest, slot);
    return true;
  }

  /** Needed slots, and the newest of all that have ended, up to `count` slots below it; each is given once. */
  take(count: number): readonly Slot[] {
    const taken: Slot[] = [];
    for (const slot of this.#ended) {
      if (this.#passed.has(slot)) this.#ended.delete(slot);
      else if (slot > this.#newest - count || this.#needed.has(slot)) taken.push(slot);
    }
    for (const slot of taken) {
      this.#ended.delete(slot);
      keep(this.#asked, slot);
    }
    return taken.toSorted((a, b) => a - b);
  }

  #need(slot: Slot): boolean {
    keep(this.#needed, slot);
    return this.#ended.has(slot);
  }
}

/** Adds a slot, and forgets the one that was added first where there are too many. */
const keep = (slots: Set<Slot>, slot: Slot): void => {
  slots.add(slot);
  const [first] = slots;
  if (slots.size > DOUBTFUL_SLOTS_KEPT_MAX && first !== undefined) slots.delete(first);
};
