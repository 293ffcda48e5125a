import { KnownIds } from "./known-ids.ts";
import { type SavedSlots, SlotColumn } from "./slot-column.ts";
import { sliceBounds, type Slices } from "./slices.ts";

const FIRST_CAPACITY = 1024;
/** A little more at a time: of the largest part of the index nearly nothing lies idle. */
const GROWTH_SHARE = 1 / 32;
/** Room for more in shared memory, which takes none until it is used. */
const SHARED_ROOM = 1 / 4;
const BYTE = 256;

/** The columns as plain arrays, cut to length. */
export interface SavedColumns {
  /** The first four bytes of each id, as a number that sorts as they do. */
  readonly words: Uint32Array;
  /** The fifth byte of each id. */
  readonly bytes: Uint8Array;
  readonly createdSlots: SavedSlots;
  readonly updatedSlots: SavedSlots;
  /** Assets whose first five bytes are those of another, and their whole ids. */
  readonly tied: { readonly ordinals: Uint32Array; readonly ids: Uint8Array };
}

/** The first five bytes of an id as a number that sorts as they do. */
export const prefixOf = (id: Uint8Array): number => wordOf(id) * BYTE + id[4]!;

const wordOf = (id: Uint8Array): number => ((id[0]! << 24) | (id[1]! << 16) | (id[2]! << 8) | id[3]!) >>> 0;

/**
 * The columns that orders compare, one entry per ordinal, grown by a 32nd at a time. The columns hold the first five
 * bytes of an id. The few assets that share them with another are tied: their whole ids are in `tied`.
 */
export class AssetColumns {
  #words: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  #bytes: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  readonly #createdSlots = new SlotColumn(FIRST_CAPACITY);
  readonly #updatedSlots = new SlotColumn(FIRST_CAPACITY);
  readonly tied = new KnownIds();
  #length = 0;

  /** One past the highest ordinal ever set. */
  get length(): number {
    return this.#length;
  }

  set(ordinal: number, id: Uint8Array, createdSlot: number, updatedSlot: number): void {
    this.#reserve(ordinal + 1);
    // An ordinal is one asset for good: in shared memory, every thread writes the same here.
    this.#words[ordinal] = wordOf(id);
    this.#bytes[ordinal] = id[4]!;
    this.#createdSlots.set(ordinal, createdSlot);
    this.#updatedSlots.set(ordinal, updatedSlot);
    this.#length = Math.max(this.#length, ordinal + 1);
  }

  createdSlot(ordinal: number): number {
    return this.#createdSlots.get(ordinal);
  }

  updatedSlot(ordinal: number): number {
    return this.#updatedSlots.get(ordinal);
  }

  /** The first four bytes of the id: see `prefix`. */
  word(ordinal: number): number {
    return this.#words[ordinal]!;
  }

  /** The first five bytes of the id, as a number that sorts as they do. */
  prefix(ordinal: number): number {
    return this.#words[ordinal]! * BYTE + this.#bytes[ordinal]!;
  }

  /** Compares two assets by id. Exact, since assets that share a prefix are tied. */
  compareIds(a: number, b: number): number {
    const words = this.#words[a]! - this.#words[b]!;
    if (words !== 0) return words;
    return this.#bytes[a]! - this.#bytes[b]! || (a === b ? 0 : this.tied.compare(a, b));
  }

  /**
   * Compares with a whole id. One that no whole id is known of compares as equal where the prefix is.
   *
   * @param known - whole ids that were read for this answer
   */
  compareIdTo(ordinal: number, id: Uint8Array, known?: KnownIds): number {
    const prefixes = this.prefix(ordinal) - prefixOf(id);
    if (prefixes !== 0) return prefixes;
    const whole = this.tied.get(ordinal) ?? known?.get(ordinal);
    return whole === undefined ? 0 : Buffer.compare(whole, id);
  }

  /** The id, or its prefix and zeros, which compares as the id does with all that do not share the prefix. */
  idOrPrefix(ordinal: number, known?: KnownIds): Uint8Array {
    const whole = this.tied.get(ordinal) ?? known?.get(ordinal);
    if (whole !== undefined) return whole;
    const id = new Uint8Array(32);
    new DataView(id.buffer).setUint32(0, this.#words[ordinal]!);
    id[4] = this.#bytes[ordinal]!;
    return id;
  }

  get byteLength(): number {
    return (
      this.#words.byteLength +
      this.#bytes.byteLength +
      this.#createdSlots.byteLength +
      this.#updatedSlots.byteLength +
      this.tied.byteLength
    );
  }

  /** Those there are at its beginning; what changes in the meantime may be copied before or after. */
  *dump(): Slices<SavedColumns> {
    const length = this.#length;
    const words = new Uint32Array(length);
    const bytes = new Uint8Array(length);
    for (const [from, to] of sliceBounds(length)) {
      words.set(this.#words.subarray(from, to), from);
      bytes.set(this.#bytes.subarray(from, to), from);
      yield;
    }
    const createdSlots = yield* this.#createdSlots.dump(length);
    const updatedSlots = yield* this.#updatedSlots.dump(length);
    return { words, bytes, createdSlots, updatedSlots, tied: this.tied.toSaved(length) };
  }

  /** Columns in shared memory are not copied; see `shareIndex`. */
  restore({ words, bytes, createdSlots, updatedSlots, tied }: SavedColumns): void {
    this.#length = createdSlots.slots.length;
    this.#createdSlots.restore(createdSlots, FIRST_CAPACITY);
    this.#updatedSlots.restore(updatedSlots, FIRST_CAPACITY);
    this.tied.restore(tied);
    const isShared = words.buffer instanceof SharedArrayBuffer;
    const capacity = Math.max(FIRST_CAPACITY, this.#length);
    this.#words = isShared ? words : grown(words, new Uint32Array(capacity));
    this.#bytes = isShared ? bytes : grown(bytes, new Uint8Array(capacity));
  }

  #reserve(length: number): void {
    const present = this.#createdSlots.capacity;
    if (length <= present) return;
    const capacity = Math.max(length, present + Math.ceil(present * GROWTH_SHARE));
    this.#createdSlots.reserve(capacity);
    this.#updatedSlots.reserve(capacity);
    if (capacity <= this.#words.length) return;
    this.#words = grown(this.#words, new Uint32Array(capacity));
    this.#bytes = grown(this.#bytes, new Uint8Array(capacity));
  }
}

/** The old entries in a longer array. */
const grown = <Column extends Uint32Array | Uint8Array>(column: Column, into: Column): Column => {
  into.set(column);
  return into;
};

/** The columns in memory that threads share. */
export const sharedColumns = (saved: SavedColumns): SavedColumns => {
  const { length } = saved.words;
  const capacity = FIRST_CAPACITY + length + Math.ceil(length * SHARED_ROOM);
  return {
    ...saved,
    words: grown(saved.words, new Uint32Array(new SharedArrayBuffer(capacity * 4))),
    bytes: grown(saved.bytes, new Uint8Array(new SharedArrayBuffer(capacity))),
    createdSlots: sharedSlots(saved.createdSlots),
    updatedSlots: sharedSlots(saved.updatedSlots),
  };
};

const sharedSlots = ({ slots, later }: SavedSlots): SavedSlots => ({
  slots: grown(slots, new Uint32Array(new SharedArrayBuffer(slots.byteLength))),
  later,
});
