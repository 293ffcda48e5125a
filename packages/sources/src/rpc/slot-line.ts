import type { Slot } from "@lamplight/core";
import { OPEN_SLOTS_MAX, SLOT_JUMPS_MAX } from "./limits.ts";
import type { PendingSlots } from "./pending-slots.ts";

/**
 * Two slots that were notified one after the other, and between which there may be blocks. The node may then have
 * notified only a part of `from` too.
 */
export interface SlotJump {
  readonly from: Slot;
  readonly to: Slot;
  /** Whether something is missing, as far as known. If not, the node is being asked. */
  readonly isMissed: boolean;
}

/**
 * The line decides which slot can be emitted next. A slot is complete when the node has reported a later one. After a
 * reading of everything, nothing below the slots of its answers can be emitted, because the states at those slots are
 * not known.
 */
export class SlotLine {
  #emitted: Slot;
  #finalized: Slot;
  #received: Slot = 0;
  #receivedMs = 0;
  /** Complete slots above the last emitted one, ascending. Each has a block, because some numbers are skipped. */
  #complete: Slot[] = [];
  /** No slot below it can be emitted. */
  #floor = Infinity;
  #open: Slot[] = [];
  /** Ascending. No slot from the first on can be emitted. */
  #jumps: SlotJump[] = [];

  /** @param slot - the store's; 0 = it is empty */
  constructor(slot: Slot) {
    this.#emitted = slot;
    this.#finalized = slot;
  }

  /** Last slot emitted; the parent of the next one. */
  get emitted(): Slot {
    return this.#emitted;
  }

  /** Last slot emitted as finalized, which is the slot of the store. */
  get finalized(): Slot {
    return this.#finalized;
  }

  /** Newest slot that this connection reported; 0 = none yet. */
  get received(): Slot {
    return this.#received;
  }

  /** The time at which it last reported one. */
  get receivedMs(): number {
    return this.#receivedMs;
  }

  /** The newest slot up to which everything was reported or read. */
  get complete(): Slot {
    return this.#complete.at(-1) ?? this.#emitted;
  }

  /** Whether a slot waits for a reading of everything, because its notifications never came. */
  get hasMissed(): boolean {
    return this.#jumps.some(({ isMissed }) => isMissed);
  }

  /** Lowest slot that the node must have reached when everything is read. */
  get readFrom(): Slot {
    return this.hasMissed ? this.#received : this.complete;
  }

  /** Emitted slots whose finality is not known. */
  get openSlots(): number {
    return this.#open.length;
  }

  /** The store was filled from answers of up to that slot. */
  startAt(slot: Slot): void {
    this.#emitted = Math.max(this.#emitted, slot);
    this.#finalized = slot;
  }

  /** A new connection. Notifications in between are missing, so nothing is emitted until everything is read. */
  restart(): void {
    this.#received = 0;
    this.#receivedMs = performance.now();
    this.#complete = [];
    this.#floor = Infinity;
    this.#jumps = [];
  }

  /**
   * The node is at a slot, so all earlier ones are complete.
   *
   * @param parent - slot of its parent; null = not known
   * @returns slots that may have blocks, for `settle`; null = none, or too many to ask about. Nothing is emitted from
   * `from` on until it is settled
   */
  receive(slot: Slot, parent: Slot | null): SlotJump | null {
    this.#receivedMs = performance.now();
    const from = this.#received;
    if (slot <= from) return null;
    this.#received = slot;
    if (from === 0) return null;
    this.close(from);
    if (slot === from + 1 || parent === from) return null;
    const jump = { from, to: slot, isMissed: false };
    if (this.#jumps.length < SLOT_JUMPS_MAX) {
      this.#jumps.push(jump);
      return jump;
    }
    this.#jumps.push({ ...jump, from: this.#jumps.pop()!.from, isMissed: true });
    return null;
  }

  /** The node's answer about a jump. */
  settle({ to }: SlotJump, isMissed: boolean): void {
    this.#jumps = this.#jumps.flatMap((jump) => {
      if (jump.to !== to || jump.isMissed) return [jump];
      return isMissed ? [{ ...jump, isMissed }] : [];
    });
  }

  /**
   * Everything was read.
   *
   * @param from - lowest possible slot of the answers
   * @param slot - highest one
   */
  read(from: Slot, slot: Slot): void {
    const jumps = this.#jumps.filter(({ to }) => to > from);
    // Notifications are complete, so the answers repeat what is known.
    if (this.#floor !== Infinity && jumps.length === this.#jumps.length) return;
    this.#jumps = jumps;
    this.#floor = slot;
  }

  /** The slot is complete without a later one: without subscriptions, it was read. */
  close(slot: Slot): void {
    if (slot <= this.complete) return;
    this.#complete.push(slot);
    if (this.#complete.length > OPEN_SLOTS_MAX) this.#complete.shift();
  }

  /** @param ceiling - slots above it wait for other data */
  next(pending: PendingSlots, ceiling: Slot): Slot | null {
    const jumped = this.#jumps[0]?.from ?? Infinity;
    const newest = this.#complete.findLast((slot) => slot <= ceiling && slot < jumped);
    if (newest === undefined || newest <= this.#emitted || newest < this.#floor) return null;
    if (this.#open.length >= OPEN_SLOTS_MAX) return null;
    const waiting = pending.nextSlot(Math.max(this.#emitted, this.#floor - 1));
    return waiting === null ? newest : Math.min(waiting, newest);
  }

  noteReported(slot: Slot): void {
    this.#emitted = slot;
    this.#complete = this.#complete.filter((each) => each > slot);
    this.#open.push(slot);
  }

  /** Emitted slots at or below the node's finalized one, lowest first. */
  finalizable(finalized: Slot): readonly Slot[] {
    return this.#open.filter((slot) => slot <= finalized);
  }

  noteFinal(slot: Slot): void {
    this.#finalized = slot;
    this.#open = this.#open.filter((each) => each > slot);
  }
}
