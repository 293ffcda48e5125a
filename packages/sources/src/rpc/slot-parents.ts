import type { Slot } from "@lamplight/core";
import { PARENTS_MAX } from "./limits.ts";

/** The parent of each slot that a connection reported, for the newest ones. */
export class SlotParents {
  /** Null = several were reported, because the slot had several blocks. */
  readonly #parents = new Map<Slot, Slot | null>();

  note(slot: unknown, parent: unknown): void {
    if (!isSlot(slot) || !isSlot(parent)) return;
    const known = this.#parents.get(slot);
    this.#parents.set(slot, known === undefined || known === parent ? parent : null);
    if (this.#parents.size > PARENTS_MAX) this.#parents.delete(this.#parents.keys().next().value!);
  }

  /** Null = not known, or not the same in every report. */
  of(slot: Slot): Slot | null {
    return this.#parents.get(slot) ?? null;
  }
}

const isSlot = (slot: unknown): slot is Slot => Number.isSafeInteger(slot);
