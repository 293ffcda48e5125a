import type { Slot } from "@lamplight/core";

/**
 * Tracks the slots that one stream reports completely. A stream starts in the middle of some slots, and never reports
 * what they wrote before. A slot is complete if this stream reported its creation, or its parent's, because the parent
 * was created earlier. Servers replay slots that have ended. So a replayed slot is complete if one of its children was
 * created before the stream, or if the stream was asked for it again and has reported its end again. No order between
 * slots is trusted.
 */
export class ReportedSlots {
  #from: Slot | null | undefined;
  /** Slots that started during the stream, so that it reported all of them. */
  readonly #created = new Set<Slot>();
  /** Slots whose creation the stream reported, if only after some of their updates. Their children started during it. */
  readonly #parentsCreated = new Set<Slot>();
  /** The first replayed slot and its descendants. */
  readonly #replayed = new Set<Slot>();
  /** Parents of slots whose creation was not reported. */
  readonly #passed = new Set<Slot>();
  readonly #askedAgain = new Set<Slot>();
  readonly #endedAgain = new Set<Slot>();
  readonly #parents = new Map<Slot, Slot>();

  /** @param from - first replayed slot; null = none; absent = the source reports complete slots only */
  restart(from?: Slot | null): void {
    this.#from = from;
    this.#parents.clear();
    for (const slots of this.#sets()) slots.clear();
  }

  /** @param isFirst - whether nothing of the slot was reported before its creation */
  noteCreated(slot: Slot, isFirst: boolean): void {
    this.#parentsCreated.add(slot);
    if (isFirst) this.#created.add(slot);
  }

  link(slot: Slot, parent: Slot): void {
    this.#parents.set(slot, parent);
    if (!this.#created.has(slot) && !this.#parentsCreated.has(slot)) this.#passed.add(parent);
  }

  /** The stream was asked to replay these, after it had reported their end. */
  askAgain(slots: readonly Slot[]): void {
    for (const slot of slots) this.#askedAgain.add(slot);
  }

  isAskedAgain(slot: Slot): boolean {
    return this.#askedAgain.has(slot);
  }

  end(slot: Slot): void {
    if (this.#askedAgain.has(slot)) this.#endedAgain.add(slot);
  }

  /**
   * Whether it was reported together with a replay. If the stream is asked for it again, it is reported completely.
   */
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

  /** The set that it belongs to, which is that of its ancestors; null while none of them is known. */
  #pathOf(slot: Slot): Set<Slot> | null {
    const path: Slot[] = [];
    for (let at: Slot | undefined = slot; at !== undefined;) {
      path.push(at);
      const parent = this.#parents.get(at);
      const set =
        this.#created.has(at) || (parent !== undefined && this.#parentsCreated.has(parent))
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

  /** Its parent is below the requested start, so the server did replay from there. Some servers ignore the request. */
  #isFirstReplayed(slot: Slot, parent: Slot | undefined): boolean {
    const from = this.#from ?? null;
    return from !== null && parent !== undefined && parent < from && slot >= from;
  }

  /** The slot is dead, or its bank was cleared: another block of it starts. */
  drop(slot: Slot): void {
    this.#parents.delete(slot);
    for (const slots of this.#sets()) slots.delete(slot);
  }

  /** The finalized slot stays, because its children are still to come. */
  forgetBelow(root: Slot): void {
    this.#pathOf(root);
    for (const slots of [...this.#sets(), this.#parents])
      for (const slot of slots.keys()) if (slot < root) slots.delete(slot);
  }

  #sets(): readonly Set<Slot>[] {
    return [
      this.#created,
      this.#parentsCreated,
      this.#replayed,
      this.#passed,
      this.#askedAgain,
      this.#endedAgain,
    ];
  }
}
