import { type Holder, SharedTally } from "./shared-tally.ts";
import type { SharedCells } from "./shared-cells.ts";

/** The share that a key may hold of what the other keys leave, and an address of what the others of its key leave. */
const SHARE = 3 / 4;

/** Holders of nothing get bytes beyond the bound, so that one large answer keeps no small ones out: so much each, and together. */
const FIRST_SHARE = 1 / 64;
const FIRSTS_SHARE = 1 / 4;

/**
 * A bound on what all callers hold together: requests, calls or bytes. However much one key holds, there is room for
 * another, and within a key for another address. A share that is in use is given to no other holder, and is free again when its
 * holder gives it back. Workers that take something at the same moment may exceed it, by one thing each.
 */
export class SharedBound extends SharedTally {
  readonly #max: number;

  constructor(max: number, cells: SharedCells | null = null) {
    super(max, cells);
    this.#max = max;
  }

  /**
   * Whether a holder may take so much more. The first thing of a key, or of an address, may take all that is free.
   *
   * @param own - of the same thing, what is held already
   */
  hasRoom(holder: Holder, amount: number, own = 0): boolean {
    const all = this.heldByAll;
    if (all + amount > this.#max) return false;
    const heldByKey = this.heldByKey(holder.caller);
    if (heldByKey <= own) return true;
    const ofKey = SHARE * (this.#max - (all - heldByKey));
    if (heldByKey + amount > ofKey) return false;
    const held = this.heldByAddress(holder);
    return held <= own || held + amount <= SHARE * (ofKey - (heldByKey - held));
  }

  /** The same of bytes: where nothing else is held, one thing is taken, however large it is. */
  hasRoomForBytes(holder: Holder, bytes: number, own = 0): boolean {
    const all = this.heldByAll;
    if (all <= own || this.hasRoom(holder, bytes, own)) return true;
    if (own + bytes > FIRST_SHARE * this.#max || this.heldByAddress(holder) > own) return false;
    return all + bytes <= Math.max(this.#max, this.largest) + FIRSTS_SHARE * this.#max;
  }

  override add(holder: Holder, amount: number): void {
    super.add(holder, amount);
    // One thing alone may be larger than the bound. What others get beyond it then does not depend on its size.
    if (this.heldByAll > this.#max) this.noteLargest(holder);
  }

  override remove(holder: Holder, amount: number): void {
    super.remove(holder, amount);
    if (this.largest > 0 && this.heldByAll <= this.#max) this.forgetLargest();
  }
}
