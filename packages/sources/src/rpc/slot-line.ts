import type { Slot } from "@lamplight/core";
import { openSlotsMax } from "./limits.ts";
import type { PendingSlots } from "./pending-slots.ts";

/**
 * Which slot can be reported next. A slot is whole when the node has reported of a later one; after a reading of everything
 * nothing below the slots of its answers can be reported any more, for what stood there is not known.
 */
export class SlotLine {
  /** Last slot reported; what is reported next builds on it. */
  reported: Slot;
  #heard: Slot = 0;
  /** Complete slots above what was reported, ascending: each is a block, as not every number is. */
  #wholes: Slot[] = [];
  /** Nothing below it can be reported. */
  #floor = Infinity;
  #root: Slot = 0;
  #open: Slot[] = [];

  /** @param reported - slot the store is at; 0 = nothing */
  constructor(reported: Slot) {
    this.reported = reported;
  }

  get root(): Slot {
    return this.#root;
  }

  get heard(): Slot {
    return this.#heard;
  }

  /** The newest slot of which all was reported or read. */
  get whole(): Slot {
    return this.#wholes.at(-1) ?? this.reported;
  }

  /** Reported, and not known to be final. */
  get openSlots(): number {
    return this.#open.length;
  }

  /** What was reported between is not known: nothing is reported on until everything is read. */
  restart(): void {
    this.#heard = 0;
    this.#wholes = [];
    this.#floor = Infinity;
  }

  /** The node is at a slot: all before it are whole. */
  hear(slot: Slot): void {
    if (slot <= this.#heard) return;
    if (this.#heard > 0) this.close(this.#heard);
    this.#heard = slot;
  }

  /** Everything was read, at slots up to this one. */
  read(slot: Slot): void {
    this.#floor = slot;
  }

  /** The slot is complete without a later one: no more notifications come for it, it is only read. */
  close(slot: Slot): void {
    if (slot <= this.whole) return;
    this.#wholes.push(slot);
    if (this.#wholes.length > openSlotsMax) this.#wholes.shift();
  }

  noteRoot(slot: Slot): boolean {
    if (slot <= this.#root) return false;
    this.#root = slot;
    return true;
  }

  /** What was reported of it was wrong. */
  forgetRoot(): void {
    this.#root = 0;
  }

  /** @param ceiling - slots above it wait for something else */
  next(pending: PendingSlots, ceiling: Slot): Slot | null {
    const whole = this.#wholes.findLast((slot) => slot <= ceiling);
    if (whole === undefined || whole <= this.reported || whole < this.#floor) return null;
    if (this.#open.length >= openSlotsMax) return null;
    const waiting = pending.nextSlot(Math.max(this.reported, this.#floor - 1));
    return waiting === null ? whole : Math.min(waiting, whole);
  }

  noteReported(slot: Slot): void {
    this.reported = slot;
    this.#wholes = this.#wholes.filter((each) => each > slot);
    this.#open.push(slot);
  }

  /** Reported slots at or below the root, lowest first. */
  finalizable(): readonly Slot[] {
    return this.#open.filter((slot) => slot <= this.#root);
  }

  noteFinal(slot: Slot): void {
    this.#open = this.#open.filter((each) => each > slot);
  }

  /** Everything reported above a slot is rolled back. */
  rollBackTo(slot: Slot): void {
    this.reported = slot;
    this.#open = [];
    this.restart();
  }
}
