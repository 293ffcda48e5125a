import { sliceBounds, type Slices } from "./slices.ts";

/** Bytes of an asset id. */
const ID_BYTES = 32;
const FIRST_CAPACITY = 1024;
/** A quarter more at a time: of the largest part of the index little lies idle. */
const GROWTH_SHARE = 1 / 4;

/** The columns as plain arrays, cut to length. */
export interface SavedColumns {
  readonly ids: Uint8Array;
  readonly createdSlots: Float64Array;
  readonly updatedSlots: Float64Array;
}

/** The columns that orders compare, one entry per ordinal, grown by a quarter at a time. */
export class AssetColumns {
  #ids: Uint8Array = new Uint8Array(FIRST_CAPACITY * ID_BYTES);
  #createdSlots: Float64Array = new Float64Array(FIRST_CAPACITY);
  #updatedSlots: Float64Array = new Float64Array(FIRST_CAPACITY);
  #length = 0;
  /** Whether other threads read the same slots. They are copied before one changes. */
  #areSlotsShared = false;

  /** One past the highest ordinal ever set. */
  get length(): number {
    return this.#length;
  }

  set(ordinal: number, id: Uint8Array, createdSlot: number, updatedSlot: number): void {
    this.#reserve(ordinal + 1);
    // An ordinal is one asset for good: in shared memory, every thread writes the same here.
    this.#ids.set(id, ordinal * ID_BYTES);
    if (this.#areSlotsShared) {
      const isSame =
        this.#createdSlots[ordinal] === createdSlot && this.#updatedSlots[ordinal] === updatedSlot;
      if (isSame) return;
      this.#ownSlots(this.#createdSlots.length);
    }
    this.#createdSlots[ordinal] = createdSlot;
    this.#updatedSlots[ordinal] = updatedSlot;
    this.#length = Math.max(this.#length, ordinal + 1);
  }

  /** A view on the id's bytes. */
  id(ordinal: number): Uint8Array {
    return this.#ids.subarray(ordinal * ID_BYTES, (ordinal + 1) * ID_BYTES);
  }

  createdSlot(ordinal: number): number {
    return this.#createdSlots[ordinal]!;
  }

  updatedSlot(ordinal: number): number {
    return this.#updatedSlots[ordinal]!;
  }

  /** The first four bytes, as a number that sorts as they do. */
  idPrefix(ordinal: number): number {
    const ids = this.#ids;
    const from = ordinal * ID_BYTES;
    return ((ids[from]! << 24) | (ids[from + 1]! << 16) | (ids[from + 2]! << 8) | ids[from + 3]!) >>> 0;
  }

  compareIds(a: number, b: number): number {
    const ids = this.#ids;
    const fromA = a * ID_BYTES;
    const fromB = b * ID_BYTES;
    for (let index = 0; index < ID_BYTES; index++) {
      const difference = ids[fromA + index]! - ids[fromB + index]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  compareIdTo(ordinal: number, id: Uint8Array): number {
    const from = ordinal * ID_BYTES;
    for (let index = 0; index < ID_BYTES; index++) {
      const difference = this.#ids[from + index]! - id[index]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  get byteLength(): number {
    return this.#ids.byteLength + this.#createdSlots.byteLength + this.#updatedSlots.byteLength;
  }

  /** Those there are at its beginning; what changes in the meantime may be copied before or after. */
  *dump(): Slices<SavedColumns> {
    const length = this.#length;
    const saved = {
      ids: new Uint8Array(length * ID_BYTES),
      createdSlots: new Float64Array(length),
      updatedSlots: new Float64Array(length),
    };
    for (const [from, to] of sliceBounds(length)) {
      saved.ids.set(this.#ids.subarray(from * ID_BYTES, to * ID_BYTES), from * ID_BYTES);
      saved.createdSlots.set(this.#createdSlots.subarray(from, to), from);
      saved.updatedSlots.set(this.#updatedSlots.subarray(from, to), from);
      yield;
    }
    return saved;
  }

  /** Columns in shared memory are not copied; see `shareIndex`. */
  restore(saved: SavedColumns): void {
    this.#length = saved.createdSlots.length;
    this.#areSlotsShared = saved.ids.buffer instanceof SharedArrayBuffer;
    if (this.#areSlotsShared) {
      this.#ids = saved.ids;
      this.#createdSlots = saved.createdSlots;
      this.#updatedSlots = saved.updatedSlots;
      return;
    }
    this.#ids = new Uint8Array(Math.max(FIRST_CAPACITY, this.#length) * ID_BYTES);
    this.#ids.set(saved.ids);
    this.#createdSlots = grown(saved.createdSlots, Math.max(FIRST_CAPACITY, this.#length));
    this.#updatedSlots = grown(saved.updatedSlots, Math.max(FIRST_CAPACITY, this.#length));
  }

  #reserve(length: number): void {
    if (length <= this.#createdSlots.length) return;
    const { length: present } = this.#createdSlots;
    const capacity = Math.max(length, present + Math.ceil(present * GROWTH_SHARE));
    this.#ownSlots(capacity);
    if (capacity * ID_BYTES <= this.#ids.length) return;
    const ids = new Uint8Array(capacity * ID_BYTES);
    ids.set(this.#ids);
    this.#ids = ids;
  }

  #ownSlots(capacity: number): void {
    this.#createdSlots = grown(this.#createdSlots, capacity);
    this.#updatedSlots = grown(this.#updatedSlots, capacity);
    this.#areSlotsShared = false;
  }
}

const grown = (column: Float64Array, capacity: number): Float64Array<ArrayBuffer> => {
  const copy = new Float64Array(capacity);
  copy.set(column);
  return copy;
};

/** The columns in memory that threads share. Ids have room for more, which takes none until it is used. */
export const sharedColumns = ({ ids, createdSlots, updatedSlots }: SavedColumns): SavedColumns => {
  const length = createdSlots.length;
  const capacity = FIRST_CAPACITY + length + Math.ceil(length * GROWTH_SHARE);
  const sharedIds = new Uint8Array(new SharedArrayBuffer(capacity * ID_BYTES));
  sharedIds.set(ids);
  return {
    ids: sharedIds,
    createdSlots: sharedSlots(createdSlots),
    updatedSlots: sharedSlots(updatedSlots),
  };
};

const sharedSlots = (column: Float64Array): Float64Array => {
  const copy = new Float64Array(new SharedArrayBuffer(column.byteLength));
  copy.set(column);
  return copy;
};
