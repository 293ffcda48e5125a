import type { Slot } from "@lamplight/core";
import { treeHoldMsMax } from "./limits.ts";
import { type HistoryContext, TreeHistory } from "./tree-history.ts";

/** A tree that was written, and whose transactions are being fetched. Slots wait for them, up to a time limit. */
export class TreeWatch {
  readonly tree: string;
  readonly #history: TreeHistory;
  #turn: Promise<unknown> = Promise.resolve();
  #fetchedThrough: Slot = 0;
  #wanted: Slot | null = null;
  #wantedSinceMs = 0;
  #newestWanted: Slot = 0;

  constructor(tree: string, since: Slot) {
    this.tree = tree;
    this.#history = new TreeHistory(tree, since);
  }

  /** Lowest slot whose transactions are missing; null = none, or the time limit has passed. */
  get holdFrom(): Slot | null {
    return this.#wanted !== null && Date.now() - this.#wantedSinceMs < treeHoldMsMax ? this.#wanted : null;
  }

  /** The tree was written in a slot. @returns whether its transactions have to be fetched */
  want(slot: Slot): boolean {
    if (slot <= this.#fetchedThrough) return false;
    this.#newestWanted = Math.max(this.#newestWanted, slot);
    if (this.#wanted !== null) return false;
    this.#wanted = slot;
    this.#wantedSinceMs = Date.now();
    return true;
  }

  /** Fetches everything up to the needed slot, and at least up to `context.minSlot`. One call at a time. */
  async catchUp(context: HistoryContext): Promise<number> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    try {
      const minSlot = Math.max(context.minSlot, this.#newestWanted);
      const count = await this.#history.catchUp({ ...context, minSlot });
      // A node may be behind the one that reported the write. Its list then ends before that slot.
      if (this.#history.reached < this.#newestWanted) return count;
      this.#fetchedThrough = Math.max(this.#fetchedThrough, minSlot);
      if (this.#newestWanted <= this.#fetchedThrough) this.#wanted = null;
      else this.#wanted = Math.max(this.#wanted ?? 0, this.#fetchedThrough + 1);
      return count;
    } finally {
      resolve();
    }
  }

  /** Whether a later write was reported during the last fetch. */
  get isBehind(): boolean {
    return this.#wanted !== null;
  }
}
