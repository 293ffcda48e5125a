import type { Slot } from "@lamplight/core";

/**
 * Which slots one stream reports from their beginning. A stream that joins a running chain is in the midst of some, and
 * what they wrote before is never reported by it. A slot was reported complete when it was started before our eyes, or when
 * its parent was, since that began earlier. Replays have ended slots only. So a replayed one was reported complete when a
 * slot that builds on it had started before the stream; or when it was asked for again, and has ended again. No order
 * between slots is trusted.
 */
export class ReportedSlots {
  #from: Slot | null | undefined;
  /** Started before our eyes, or after one that was. */
  readonly #begun = new Set<Slot>();
  /** On a path of slots from the first replayed one. */
  readonly #replayed = new Set<Slot>();
  /** Those on which a slot stands that was not started before our eyes. */
  readonly #passed = new Set<Slot>();
  readonly #askedAgain = new Set<Slot>();
  readonly #endedAgain = new Set<Slot>();
  readonly #parents = new Map<Slot, Slot>();

  /** @param from - first slot that is replayed; null = none, absent = slots only ever come whole */
  restart(from?: Slot | null): void {
    this.#from = from;
    this.#parents.clear();
    for (const slots of this.#sets()) slots.clear();
  }

  /** The creation of the slot was reported before any of its writes. */
  begin(slot: Slot): void {
    this.#begun.add(slot);
  }

  link(slot: Slot, parent: Slot): void {
    this.#parents.set(slot, parent);
    if (!this.#begun.has(slot)) this.#passed.add(parent);
  }

  /** The stream was asked for these again, after it had reported their end. */
  askAgain(slots: readonly Slot[]): void {
    for (const slot of slots) this.#askedAgain.add(slot);
  }

  isAskedAgain(slot: Slot): boolean {
    return this.#askedAgain.has(slot);
  }

  end(slot: Slot): void {
    if (this.#askedAgain.has(slot)) this.#endedAgain.add(slot);
  }

  /** Whether it was reported next to what a replay brought: asked for again, it is reported whole. */
  isReplayed(slot: Slot): boolean {
    return this.#from !== undefined && this.#pathOf(slot) === this.#replayed;
  }

  isWhole(slot: Slot): boolean {
    if (this.#from === undefined) return true;
    const path = this.#pathOf(slot);
    return path === this.#begun || (path === this.#replayed && this.#isReplayedWhole(slot));
  }

  #isReplayedWhole(slot: Slot): boolean {
    return this.#passed.has(slot) || this.#endedAgain.has(slot);
  }

  /** The set that it belongs to, as its parents do; null while nothing is known of them. */
  #pathOf(slot: Slot): Set<Slot> | null {
    const path: Slot[] = [];
    for (let at: Slot | undefined = slot; at !== undefined;) {
      path.push(at);
      const parent = this.#parents.get(at);
      const set = this.#begun.has(at)
        ? this.#begun
        : this.#replayed.has(at) || this.#isFirstReplayed(at, parent)
          ? this.#replayed
          : null;
      if (set !== null) {
        for (const one of path) set.add(one);
        return set;
      }
      at = parent !== undefined && parent < at ? parent : undefined;
    }
    return null;
  }

  /** That nothing above its parent is missing shows that the server did replay: some do not know what that is. */
  #isFirstReplayed(slot: Slot, parent: Slot | undefined): boolean {
    const from = this.#from ?? null;
    return from !== null && parent !== undefined && parent < from && slot >= from;
  }

  /** The slot died: another block of it starts. */
  drop(slot: Slot): void {
    this.#parents.delete(slot);
    for (const slots of this.#sets()) slots.delete(slot);
  }

  /** The finalized slot stays: slots that build on it are still to come. */
  forgetBelow(root: Slot): void {
    this.#pathOf(root);
    for (const slots of [...this.#sets(), this.#parents])
      for (const slot of slots.keys()) if (slot < root) slots.delete(slot);
  }

  #sets(): readonly Set<Slot>[] {
    return [this.#begun, this.#replayed, this.#passed, this.#askedAgain, this.#endedAgain];
  }
}
