import type { Slot } from "@lamplight/core";

/**
 * Which slots one stream tells from their beginning. A stream that joins a running chain is in the midst of some, and
 * what they wrote before is never reported by it. A slot was reported complete when it was begun before our eyes, or when its
 * parent was, since that began earlier; or when a replay began between the two. No order between slots is trusted.
 */
export class ReportedSlots {
  #from: Slot | null | undefined;
  /** Reported from their beginning. */
  readonly #whole = new Set<Slot>();
  readonly #parents = new Map<Slot, Slot>();

  /** @param from - first slot that is replayed; null = none, absent = slots only ever come whole */
  restart(from?: Slot | null): void {
    this.#from = from;
    this.#whole.clear();
    this.#parents.clear();
  }

  /** The creation of the slot was reported before any of its writes. */
  begin(slot: Slot): void {
    this.#whole.add(slot);
  }

  link(slot: Slot, parent: Slot): void {
    this.#parents.set(slot, parent);
  }

  isWhole(slot: Slot): boolean {
    if (this.#from === undefined) return true;
    const path: Slot[] = [];
    for (let at: Slot | undefined = slot; at !== undefined;) {
      path.push(at);
      const parent = this.#parents.get(at);
      if (this.#whole.has(at) || this.#isFirstReplayed(at, parent)) {
        for (const one of path) this.#whole.add(one);
        return true;
      }
      at = parent !== undefined && parent < at ? parent : undefined;
    }
    return false;
  }

  /** That nothing above its parent is missing shows that the server did replay: some do not know what that is. */
  #isFirstReplayed(slot: Slot, parent: Slot | undefined): boolean {
    const from = this.#from ?? null;
    return from !== null && parent !== undefined && parent < from && slot >= from;
  }

  /** The slot died: another block of it begins anew. */
  drop(slot: Slot): void {
    this.#whole.delete(slot);
    this.#parents.delete(slot);
  }

  /** The root stays: slots that stand on it are still to come. */
  forgetBelow(root: Slot): void {
    this.isWhole(root);
    for (const slot of this.#whole) if (slot < root) this.#whole.delete(slot);
    for (const slot of this.#parents.keys()) if (slot < root) this.#parents.delete(slot);
  }
}
