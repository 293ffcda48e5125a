import { NumberParts } from "./number-parts.ts";
import type { Slices } from "./slices.ts";

/** Entry of a slot that fits no 32 bits, some 50 years from now: the slot itself is in a map. */
const LATER = 0xffff_ffff;

/** A slot column as plain arrays, cut to length. */
export interface SavedSlots {
  readonly slots: readonly Uint32Array[];
  /** Ordinals and slots of those that fit no 32 bits. */
  readonly later: readonly (readonly [ordinal: number, slot: number])[];
}

/** A slot for each ordinal, in 32 bits. */
export class SlotColumn {
  readonly #slots: NumberParts;
  #later = new Map<number, number>();

  constructor(partBits: number) {
    this.#slots = new NumberParts(partBits);
  }

  get capacity(): number {
    return this.#slots.length;
  }

  get byteLength(): number {
    return this.#slots.byteLength;
  }

  get(ordinal: number): number {
    const slot = this.#slots.get(ordinal);
    return slot === LATER ? this.#later.get(ordinal)! : slot;
  }

  /** Below `capacity`. */
  set(ordinal: number, slot: number): void {
    if (slot < LATER) {
      if (this.#slots.get(ordinal) === LATER) this.#later.delete(ordinal);
      this.#slots.set(ordinal, slot);
    } else {
      this.#slots.set(ordinal, LATER);
      this.#later.set(ordinal, slot);
    }
  }

  resize(capacity: number): void {
    this.#slots.resize(capacity);
  }

  /** See `AssetColumns.dump`. */
  *dump(length: number): Slices<SavedSlots> {
    const slots = yield* this.#slots.copied(length);
    return { slots: slots.toParts(), later: [...this.#later].filter(([ordinal]) => ordinal < length) };
  }

  restore({ slots, later }: SavedSlots): void {
    this.#slots.restore(slots);
    this.#later = new Map(later);
  }
}
