import type { Slot } from "@lamplight/core";

/**
 * Which slots one stream reports completely. A stream starts in the middle of some slots, and never reports what they wrote
 * before. A slot is complete if this stream reported its creation, or its parent's, because the parent was created earlier.
 * Servers replay slots that have ended. So a replayed slot is complete if one of its children was created before the
 * stream, or if the stream was asked for it again and has reported its end again. No order between slots is trusted.
 */
export class ReportedSlots {
  #from: Slot | null | undefined;
  /** The stream reported their creation, or that of an ancestor. */
  readonly #created = new Set<Slot>();
  /** On a path of slots from the first replayed one. */
  readonly #replayed = new Set<Slot>();
  /** Parents of slots whose creation was not reported. */
  readonly #passed = new Set<Slot>();
  readonly #askedAgain = new Set<Slot>();
  readonly #endedAgain = new Set<Slot>();
  readonly #parents = new Map<Slot, Slot>();

  /** @param from - first slot that is replayed; null = none, absent = slots only ever come complete */
  restart(from?: Slot | null): void {
    this.#from = from;
    this.#parents.clear();
    for (const slots of this.#sets()) slots.clear();
  }

  /** The creation of the slot was reported before any of its writes. */
  noteCreated(slot: Slot): void {
    this.#created.add(slot);
  }

  link(slot: Slot, parent: Slot): void {
    this.#parents.set(slot, parent);
    if (!this.#created.has(slot)) this.#passed.add(parent);
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

  /** Whether it was reported next to what a replay brought: asked for again, it is reported completely. */
  isReplayed(slot: Slot): boolean {
    return this.#from !== undefined && this.#pathOf(slot) === this.#replayed;
  }

  isComplete(slot: Slot): boolean {
    if (this.#from === undefined) return true;
    const path = this.#pathOf(slot);
    return path === this.#created || (path === this.#replayed && this.#isReplayedCompletely(slot));
  }

  #isReplayedCompletely(slot: Slot): boolean {
    return this.#passed.has(slot) || this.#endedAgain.has(slot);
  }

  /** The set that it belongs to, as its parents do; null while nothing is known of them. */
  #pathOf(slot: Slot): Set<Slot> | null {
    const path: Slot[] = [];
    for (let at: Slot | undefined = slot; at !== undefined;) {
      path.push(at);
      const parent = this.#parents.get(at);
      const set = this.#created.has(at)
        ? this.#created
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
    return [this.#created, this.#replayed, this.#passed, this.#askedAgain, this.#endedAgain];
  }
}
