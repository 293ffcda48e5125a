import { sliceBounds, type Slices } from "./slices.ts";

/** A part has two to this power entries: 4 MB, which are copied or written to a file in a moment. */
export const PART_BITS = 20;

/**
 * Numbers below 2^32, in parts of equal length, of which the last may be shorter. No array is as long as an index is
 * large, and it grows without a copy of what is there, but for the last part.
 */
export class NumberParts {
  readonly #bits: number;
  readonly #mask: number;
  /** What new entries are. */
  readonly #blank: number;
  #parts: Uint32Array[] = [];
  #length = 0;
  /** Whether other threads may read some of the parts. Each is copied before it changes. */
  #isShared = false;

  constructor(bits = PART_BITS, blank = 0) {
    this.#bits = bits;
    this.#mask = 2 ** bits - 1;
    this.#blank = blank;
  }

  get length(): number {
    return this.#length;
  }

  get byteLength(): number {
    return this.#length * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** Below `length`. */
  get(index: number): number {
    return this.#parts[index >>> this.#bits]![index & this.#mask]!;
  }

  /** Below `length`. */
  set(index: number, value: number): void {
    const part = index >>> this.#bits;
    if (this.#isShared) {
      if (this.get(index) === value) return;
      this.#own(part);
    }
    this.#parts[part]![index & this.#mask] = value;
  }

  /** The entries between the bounds, to be read at once: a view of a part, or a copy where they are in several. */
  view(from: number, to: number): Uint32Array {
    const part = from >>> this.#bits;
    const start = from & this.#mask;
    if (to <= from || start + to - from <= this.#mask + 1)
      return this.#parts[part]?.subarray(start, start + to - from) ?? new Uint32Array(0);
    return Uint32Array.from({ length: to - from }, (_, index) => this.get(from + index));
  }

  /** Longer, with blank entries at the end; or shorter. */
  resize(length: number): void {
    const size = this.#mask + 1;
    const count = Math.ceil(length / size);
    this.#parts.length = Math.min(this.#parts.length, count);
    for (let part = Math.max(0, this.#parts.length - 1); part < count; part++)
      this.#parts[part] = this.#resized(this.#parts[part], Math.min(size, length - part * size));
    this.#length = length;
  }

  /** As many as there are at its beginning, copied; what changes in the meantime may be copied before or after. */
  *copied(length = this.#length): Slices<NumberParts> {
    const parts: Uint32Array[] = [];
    for (const [from, to] of sliceBounds(length, this.#mask + 1)) {
      parts.push(this.view(from, to).slice());
      yield;
    }
    const copy = new NumberParts(this.#bits, this.#blank);
    copy.restore(parts);
    return copy;
  }

  /** As many blank entries. */
  emptied(): NumberParts {
    const empty = new NumberParts(this.#bits, this.#blank);
    empty.resize(this.#length);
    return empty;
  }

  /** The parts themselves, for a saved index. */
  toParts(): readonly Uint32Array[] {
    return this.#parts;
  }

  /** Replaces all entries by parts of the same length, which become this object's own unless they are in shared memory. */
  restore(parts: readonly Uint32Array[]): void {
    this.#parts = [...parts];
    this.#length = parts.reduce((length, part) => length + part.length, 0);
    this.#isShared = parts.some(isShared);
  }

  #resized(part: Uint32Array | undefined, length: number): Uint32Array {
    if (part?.length === length) return part;
    if (part !== undefined && part.length > length) return part.subarray(0, length);
    const grown = new Uint32Array(length);
    if (part !== undefined) grown.set(part);
    return this.#blank === 0 ? grown : grown.fill(this.#blank, part?.length ?? 0);
  }

  #own(part: number): void {
    const shared = this.#parts[part]!;
    if (isShared(shared)) this.#parts[part] = new Uint32Array(shared);
  }
}

const isShared = ({ buffer }: Uint32Array): boolean => buffer instanceof SharedArrayBuffer;

/** Parts in memory that threads share. */
export const sharedParts = (parts: readonly Uint32Array[]): readonly Uint32Array[] =>
  parts.map((part) => {
    const copy = new Uint32Array(new SharedArrayBuffer(part.byteLength));
    copy.set(part);
    return copy;
  });
