import { KnownIds } from "./known-ids.ts";
import { NumberParts, PART_BITS, sharedParts } from "./number-parts.ts";
import { type SavedSlots, SlotColumn } from "./slot-column.ts";
import type { Slices } from "./slices.ts";

const FIRST_CAPACITY = 1024;
/** A little more at a time: of the largest part of the index nearly nothing lies idle. */
const GROWTH_SHARE = 1 / 32;
const BYTE = 256;

/** The columns as plain arrays, cut to length. */
export interface SavedColumns {
  /** One past the highest ordinal. */
  readonly length: number;
  /** The first four bytes of each id, as a number that sorts as they do. */
  readonly words: readonly Uint32Array[];
  /** The fifth byte of each id, four to a number. */
  readonly bytes: readonly Uint32Array[];
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
  readonly #words: NumberParts;
  readonly #bytes: NumberParts;
  readonly #createdSlots: SlotColumn;
  readonly #updatedSlots: SlotColumn;
  readonly tied = new KnownIds();
  #length = 0;

  constructor(partBits = PART_BITS) {
    this.#words = new NumberParts(partBits);
    this.#bytes = new NumberParts(partBits);
    this.#createdSlots = new SlotColumn(partBits);
    this.#updatedSlots = new SlotColumn(partBits);
  }

  /** One past the highest ordinal ever set. */
  get length(): number {
    return this.#length;
  }

  set(ordinal: number, id: Uint8Array, createdSlot: number, updatedSlot: number): void {
    this.#reserve(ordinal + 1);
    this.#words.set(ordinal, wordOf(id));
    const shift = shiftOf(ordinal);
    const others = this.#bytes.get(ordinal >>> 2) & ~((BYTE - 1) << shift);
    this.#bytes.set(ordinal >>> 2, (others | (id[4]! << shift)) >>> 0);
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
    return this.#words.get(ordinal);
  }

  /** The first five bytes of the id, as a number that sorts as they do. */
  prefix(ordinal: number): number {
    return this.#words.get(ordinal) * BYTE + this.#byte(ordinal);
  }

  /** Compares two assets by id. Exact, since assets that share a prefix are tied. */
  compareIds(a: number, b: number): number {
    const words = this.#words.get(a) - this.#words.get(b);
    if (words !== 0) return words;
    return this.#byte(a) - this.#byte(b) || (a === b ? 0 : this.tied.compare(a, b));
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
    new DataView(id.buffer).setUint32(0, this.#words.get(ordinal));
    id[4] = this.#byte(ordinal);
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
    const words = yield* this.#words.copied(length);
    const bytes = yield* this.#bytes.copied(byteEntries(length));
    const createdSlots = yield* this.#createdSlots.dump(length);
    const updatedSlots = yield* this.#updatedSlots.dump(length);
    return {
      length,
      words: words.toParts(),
      bytes: bytes.toParts(),
      createdSlots,
      updatedSlots,
      tied: this.tied.toSaved(length),
    };
  }

  /** The arrays become this object's own, unless they are in shared memory: see `shareIndex`. */
  restore({ length, words, bytes, createdSlots, updatedSlots, tied }: SavedColumns): void {
    this.#length = length;
    this.#words.restore(words);
    this.#bytes.restore(bytes);
    this.#createdSlots.restore(createdSlots);
    this.#updatedSlots.restore(updatedSlots);
    this.tied.restore(tied);
  }

  #byte(ordinal: number): number {
    return (this.#bytes.get(ordinal >>> 2) >>> shiftOf(ordinal)) & (BYTE - 1);
  }

  #reserve(length: number): void {
    const present = this.#createdSlots.capacity;
    if (length <= present) return;
    const capacity = Math.max(FIRST_CAPACITY, length, present + Math.ceil(present * GROWTH_SHARE));
    this.#words.resize(capacity);
    this.#bytes.resize(byteEntries(capacity));
    this.#createdSlots.resize(capacity);
    this.#updatedSlots.resize(capacity);
  }
}

/** Where the byte of an ordinal is in its number. */
const shiftOf = (ordinal: number): number => (ordinal & 3) * 8;

/** Numbers that hold so many bytes. */
const byteEntries = (length: number): number => Math.ceil(length / 4);

/** The columns in memory that threads share. */
export const sharedColumns = (saved: SavedColumns): SavedColumns => ({
  ...saved,
  words: sharedParts(saved.words),
  bytes: sharedParts(saved.bytes),
  createdSlots: { ...saved.createdSlots, slots: sharedParts(saved.createdSlots.slots) },
  updatedSlots: { ...saved.updatedSlots, slots: sharedParts(saved.updatedSlots.slots) },
});
