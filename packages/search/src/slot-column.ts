import { sliceBounds, type Slices } from "./slices.ts";

/** Entry of a slot that fits no 32 bits, some 50 years from now: the slot itself is in a map. */
const LATER = 0xffff_ffff;

/** A slot column as plain arrays, cut to length. */
export interface SavedSlots {
  readonly slots: Uint32Array;
  /** Ordinals and slots of those that fit no 32 bits. */
  readonly later: readonly (readonly [ordinal: number, slot: number])[];
}

/** A slot for each ordinal, in 32 bits. */
export class SlotColumn {
  #slots: Uint32Array;
  #later = new Map<number, number>();
  /** Whether other threads read the same slots. They are copied before one changes. */
  #isShared = false;

  constructor(capacity: number) {
    this.#slots = new Uint32Array(capacity);
  }

  get capacity(): number {
    return this.#slots.length;
  }

  get byteLength(): number {
    return this.#slots.byteLength;
  }

  get(ordinal: number): number {
    const slot = this.#slots[ordinal]!;
    return slot === LATER ? this.#later.get(ordinal)! : slot;
  }

  /** Below `capacity`. */
  set(ordinal: number, slot: number): void {
    if (this.#isShared) {
      if (this.get(ordinal) === slot) return;
      this.#own(this.#slots.length);
    }
    if (slot < LATER) {
      if (this.#slots[ordinal] === LATER) this.#later.delete(ordinal);
      this.#slots[ordinal] = slot;
    } else {
      this.#slots[ordinal] = LATER;
      this.#later.set(ordinal, slot);
    }
  }

  reserve(capacity: number): void {
    if (capacity > this.#slots.length) this.#own(capacity);
  }

  /** See `AssetColumns.dump`. */
  *dump(length: number): Slices<SavedSlots> {
    const slots = new Uint32Array(length);
    for (const [from, to] of sliceBounds(length)) {
      slots.set(this.#slots.subarray(from, to), from);
      yield;
    }
    return { slots, later: [...this.#later].filter(([ordinal]) => ordinal < length) };
  }

  restore({ slots, later }: SavedSlots, minCapacity: number): void {
    this.#slots = slots;
    this.#later = new Map(later);
    this.#isShared = slots.buffer instanceof SharedArrayBuffer;
    if (!this.#isShared) this.#own(Math.max(minCapacity, slots.length));
  }

  #own(capacity: number): void {
    const own = new Uint32Array(capacity);
    own.set(this.#slots);
    this.#slots = own;
    this.#isShared = false;
  }
}
