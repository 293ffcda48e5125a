import type { Slot } from "@lamplight/core";
import { TREE_HOLD_MS_MAX } from "./limits.ts";
import { type HistoryContext, TreeHistory } from "./tree-history.ts";

/** A tree that was written, and whose transactions are being fetched. Slots wait for them, up to a time limit. */
export class TreeWatch {
  readonly tree: string;
  readonly #history: TreeHistory;
  #turn: Promise<unknown> = Promise.resolve();
  #fetchedThrough: Slot = 0;
  #required: Slot | null = null;
  #requiredSinceMs = 0;
  #newestRequired: Slot = 0;

  constructor(tree: string, since: Slot) {
    this.tree = tree;
    this.#history = new TreeHistory(tree, since);
  }

  /** Lowest slot whose transactions are missing; null = none, or the time limit has passed. */
  get holdFrom(): Slot | null {
    return this.#required !== null && performance.now() - this.#requiredSinceMs < TREE_HOLD_MS_MAX
      ? this.#required
      : null;
  }

  /** The tree was written in a slot. @returns whether its transactions have to be fetched */
  want(slot: Slot): boolean {
    if (slot <= this.#fetchedThrough) return false;
    this.#newestRequired = Math.max(this.#newestRequired, slot);
    if (this.#required !== null) return false;
    this.#required = slot;
    this.#requiredSinceMs = performance.now();
    return true;
  }

  /** Fetches everything up to the needed slot, and at least up to `context.minSlot`. One call at a time. */
  async catchUp(context: HistoryContext): Promise<number> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    try {
      const minSlot = Math.max(context.minSlot, this.#newestRequired);
      const count = await this.#history.catchUp({ ...context, minSlot });
      // A node may be behind the one that reported the write. Its list then ends before that slot.
      if (this.#history.reached < this.#newestRequired) return count;
      this.#fetchedThrough = Math.max(this.#fetchedThrough, minSlot);
      if (this.#newestRequired <= this.#fetchedThrough) this.#required = null;
      else this.#required = Math.max(this.#required ?? 0, this.#fetchedThrough + 1);
      return count;
    } finally {
      resolve();
    }
  }

  /** Whether a later write was reported during the last fetch. */
  get isBehind(): boolean {
    return this.#required !== null;
  }
}
